/// A model of containers that predicts a ``Program``. It has one thread, builds no table, and searches by brute force.
///
/// Its parts are references, as the instances of a container are. So it also predicts their releases.
final class ProgramModel {
    typealias Key = Program.Key

    /// The lines that the factories, handlers and releases of a program add.
    final class Log {
        var lines: [String] = []
        /// The number of parts that live.
        fileprivate(set) var living = 0
    }

    /// Stands for a ``Product``.
    final class Part {
        let number: Int
        let maker: String
        /// The decorated part or nil, and the dependencies. They are released in this order.
        private let parts: [Part?]
        private let log: Log

        init(_ number: Int, _ maker: String, of parts: [Part?], _ log: Log) {
            self.number = number
            self.maker = maker
            self.parts = parts
            self.log = log
            log.living += 1
        }

        deinit {
            log.lines.append("release #\(number)")
            log.living -= 1
        }

        var structure: String {
            var text = "#\(number) \(maker)"
            if let base = parts[0] { text += " of {\(base.structure)}" }
            let dependencies = parts.dropFirst().map { $0?.structure ?? "nil" }
            if !dependencies.isEmpty { text += " with [\(dependencies.joined(separator: ", "))]" }
            return text
        }
    }

    /// An instance that a container caches or that a graph shares.
    private final class Instance {
        let id: Int
        let entry: Int
        let builder: Int
        let isWeak: Bool
        private let reference: Reference<Part>
        /// The instances that are stored for aliases.
        var aliases: [(type: Int, decoratedBy: Int?, reference: Reference<Part>)] = []

        init(_ id: Int, _ part: Part, of entry: Entry, by builder: Int) {
            self.id = id
            self.entry = entry.id
            self.builder = builder
            isWeak = entry.recipe?.lifetime == .weak
            reference = Reference(part, isWeak: isWeak)
        }

        var part: Part? { reference.object }

        /// Stores the instance of an alias. The instance of an undecorated alias takes the place of a decorated one.
        func store(_ part: Part, for type: Int, decoratedBy entry: Int?) {
            if entry == nil, isWeak || aliases.contains(where: { $0.type == type && $0.decoratedBy == nil }) { return }
            let reference = Reference(part, isWeak: isWeak)
            aliases.removeAll { $0.type == type }
            aliases.append((type: type, decoratedBy: entry, reference: reference))
        }
    }

    /// The content of a key in one container. Each change of the key has another identity.
    private struct Entry {
        let id: Int
        /// The container.
        let owner: Int
        var recipe: Program.Recipe?
        /// The target of an alias.
        var target: Key?
        var decorators: [Program.Decorator] = []

        var isRegistered: Bool { recipe != nil || target != nil }
    }

    private struct Container {
        let parent: Int?
        var entries: [Key: Entry] = [:]
        var instances: [Key: Instance] = [:]
        /// The keys whose registrations are members of the collection, in order.
        var members: [Key] = []
        /// The instances with close handlers.
        var closables: [(id: Int, part: Part, recipe: Program.Recipe)] = []
        var isClosed = false
        var failures: [String] = []
    }

    /// The instances that one outermost request shares, and those that it retains.
    private struct Graph {
        var members: [Instance] = []
        var retained: [Part] = []
    }

    let log = Log()
    /// The results that are held until the end.
    var held: [Part] = []
    private let program: Program
    private var containers: [Container]
    private var graph = Graph()
    /// The current container.
    private var current = 0
    private let ids = Counter()
    private var lastNumber = 0
    private var builds: [Int: Int] = [:]

    init(_ program: Program) {
        self.program = program
        containers = program.containers.map { Container(parent: $0.parent) }
        for (index, container) in program.containers.enumerated() {
            for statement in container.statements { add(statement, to: index) }
        }
    }

    // MARK: Steps

    /// Performs a step, and returns its result.
    func perform(_ step: Program.Step) -> String? {
        let index = step.container
        switch step.action {
        case .request(let request): return result(at: index) { [try self.request(request.key, at: index)] }
        case .requestMembers: return result(at: index, isList: true) { try members(at: index) }
        case .close(let fails): return close(index, fails: fails)
        case .drop: preconditionFailure("No modeled program has such a step.")
        case _ where containers[index].isClosed: break
        case .add(let statement): add(statement, to: index)
        case .unregister(let key):
            containers[index].members.removeAll { $0 == key }
            _ = change(key, in: index) { $0 = Entry(id: $0.id, owner: index) }
            containers[index].entries[key] = nil
        case .reset, .resetInstances:
            if case .reset = step.action { (containers[index].entries, containers[index].members) = ([:], []) }
            var all = containers[index].instances.values.sorted { $0.id < $1.id }
            containers[index].instances = [:]
            while all.popLast() != nil {}
        }
        return nil
    }

    /// The text of the parts that an outermost request returns, or the reason of its refusal.
    private func result(at container: Int, isList: Bool = false, _ request: () throws -> [Part]) -> String {
        current = container
        defer {
            var last = graph
            graph = Graph()
            while last.retained.popLast() != nil {}
            while last.members.popLast() != nil {}
        }
        do {
            let parts = try request()
            if program.holdsResults || program.isAsync { held += parts }
            let text = parts.map(\.structure).joined(separator: ", ")
            return isList ? "[\(text)]" : text
        } catch { return (error as? Problem)?.text ?? "\(error)" }
    }

    // MARK: Changes

    private func add(_ statement: Program.Statement, to container: Int) {
        switch statement {
        case .register(let recipe):
            let key = recipe.key
            var retired = [change(key, in: container) { ($0.recipe, $0.target) = (recipe, nil) }]
            if let alias = recipe.alias {
                retired.append(
                    change(Key(type: alias, isNamed: key.isNamed), in: container) {
                        ($0.recipe, $0.target) = (nil, key)
                    })
            }
            if recipe.isMember {
                containers[container].members.removeAll { $0 == key }
                containers[container].members.append(key)
            }
            while retired.popLast() != nil {}
        case .decorate(let decorator):
            _ = change(decorator.key, in: container) { $0.decorators.append(decorator) }
        case .expect: break
        }
    }

    /// Changes the entry of a key. Returns the instance that the container no longer caches.
    private func change(_ key: Key, in container: Int, _ change: (inout Entry) -> Void) -> Instance? {
        let old = containers[container].entries[key]
        var entry = Entry(
            id: ids.increment(), owner: container, recipe: old?.recipe, target: old?.target,
            decorators: old?.decorators ?? [])
        change(&entry)
        containers[container].entries[key] = entry
        if let old, old.target != nil, !old.decorators.isEmpty {
            for instance in containers[container].instances.values {
                instance.aliases.removeAll { $0.decoratedBy == old.id }
            }
        }
        return containers[container].instances.removeValue(forKey: key)
    }

    // MARK: Requests

    private func checkOpen(_ indices: [Int]) throws {
        if indices.contains(where: { containers[$0].isClosed }) { throw Problem(text: "closed") }
    }

    private func find(_ key: Key, at container: Int) throws -> Entry? {
        var isBelowDecorators = false
        for owner in program.chain(from: container) {
            guard let entry = containers[owner].entries[key] else { continue }
            guard entry.isRegistered else {
                isBelowDecorators = true
                continue
            }
            if isBelowDecorators { throw Problem(text: "misplacedDecorator") }
            return entry
        }
        return nil
    }

    private func request(_ key: Key, at container: Int) throws -> Part {
        if let resolved = try resolve(key, at: container) { return resolved.part }
        try checkOpen(program.chain(from: container))
        throw Problem(text: "notRegistered")
    }

    /// A container's members before those of its parent, and each key once.
    private func members(at container: Int) throws -> [Part] {
        var keys: [Key] = []
        for index in program.chain(from: container) {
            keys += containers[index].members.filter { !keys.contains($0) }
        }
        if keys.isEmpty { try checkOpen(program.chain(from: container)) }
        return try keys.compactMap { key in
            let resolved = try resolve(key, at: container)
            // A contribution is an alias, too.
            if let resolved { resolved.cached?.store(resolved.part, for: programTypes.count, decoratedBy: nil) }
            return resolved?.part
        }
    }

    private struct Resolved {
        let part: Part
        var cached: Instance?
    }

    private func resolve(_ key: Key, at container: Int) throws -> Resolved? {
        guard let entry = try find(key, at: container) else { return nil }
        if let recipe = entry.recipe { return try resolve(recipe, entry, at: container) }
        guard let target = try resolve(entry.target!, at: container) else {
            try checkOpen(program.chain(from: container))
            throw Problem(text: "notRegistered")
        }
        return try resolve(key, entry, of: target, at: container)
    }

    private func resolve(_ recipe: Program.Recipe, _ entry: Entry, at container: Int) throws -> Resolved {
        let isOwned = recipe.lifetime == .shared || recipe.lifetime == .weak
        let builder = isOwned ? entry.owner : container
        let known =
            containers[builder].instances[recipe.key].flatMap { $0.entry == entry.id ? $0 : nil }
            ?? graph.members.first { $0.entry == entry.id && $0.builder == builder }
        if let known, let part = known.part {
            if known.isWeak { graph.retained.append(part) }
            return Resolved(part: part, cached: known)
        }
        try checkOpen([builder, entry.owner])
        switch recipe.lifetime {
        case .shared, .scoped, .weak:
            let outer = current
            defer { current = outer }
            current = builder
            let part = try build(recipe, entry, at: builder)
            if recipe.lifetime == .weak { graph.retained.append(part) }
            let instance = Instance(ids.increment(), part, of: entry, by: builder)
            containers[builder].instances[recipe.key] = instance
            return Resolved(part: part, cached: instance)
        case .graph:
            let instance = Instance(
                ids.increment(), try build(recipe, entry, at: builder), of: entry, by: builder)
            graph.members.append(instance)
            return Resolved(part: instance.part!, cached: instance)
        case .new: return Resolved(part: try build(recipe, entry, at: builder))
        }
    }

    /// Decorates the instance of an alias. It is stored with the target's instance, unless the alias is in a container
    /// below the one that caches the target.
    private func resolve(_ key: Key, _ alias: Entry, of target: Resolved, at container: Int) throws -> Resolved {
        if alias.decorators.isEmpty {
            target.cached?.store(target.part, for: key.type, decoratedBy: nil)
            return target
        }
        let builder = target.cached?.builder ?? container
        let stores = target.cached != nil && program.chain(from: builder).contains(alias.owner)
        let known = target.cached?.aliases.first { $0.decoratedBy == alias.id }
        if stores, let part = known?.reference.object {
            if target.cached?.isWeak == true { graph.retained.append(part) }
            return Resolved(part: part)
        }
        try checkOpen([builder, alias.owner])
        let outer = current
        defer { current = outer }
        current = builder
        let part = try decorate(target.part, by: alias.decorators, at: builder)
        if stores {
            if target.cached?.isWeak == true { graph.retained.append(part) }
            target.cached?.store(part, for: key.type, decoratedBy: alias.id)
        }
        return Resolved(part: part)
    }

    // MARK: Factories

    private func build(_ recipe: Program.Recipe, _ entry: Entry, at container: Int) throws -> Part {
        let dependencies = try parts(recipe.dependencies, at: container)
        builds[recipe.number, default: 0] += 1
        if builds[recipe.number]! <= recipe.failures {
            log.lines.append("r\(recipe.number) fails")
            throw Problem(text: "factoryFailed")
        }
        let part = make("r\(recipe.number)", around: nil, dependencies)
        if !recipe.ends.isEmpty {
            containers[container].closables.append((id: ids.increment(), part: part, recipe: recipe))
        }
        return try decorate(part, by: entry.decorators, at: container)
    }

    private func decorate(_ part: Part, by decorators: [Program.Decorator], at container: Int) throws -> Part {
        try decorators.reduce(part) { base, decorator in
            make("d\(decorator.number)", around: base, try parts(decorator.dependencies, at: container))
        }
    }

    private func make(_ maker: String, around base: Part?, _ dependencies: [Part?]) -> Part {
        lastNumber += 1
        let parts = [base] + dependencies
        let numbers = parts.map { $0.map { "#\($0.number)" } ?? "-" }.joined(separator: " ")
        // A factory of the program requests the name of the current container.
        let home = containers[current].isClosed ? "closed" : "c\(current)"
        log.lines.append("\(maker) makes #\(lastNumber) of \(numbers) in \(home)")
        return Part(lastNumber, maker, of: parts, log)
    }

    private func parts(_ dependencies: [Program.Dependency], at container: Int) throws -> [Part?] {
        try dependencies.map { dependency -> Part? in
            if dependency.form == .optional, try find(dependency.key, at: container) == nil {
                try checkOpen(program.chain(from: container))
                return nil
            }
            return try request(dependency.key, at: container)
        }
    }

    // MARK: Closing

    /// Runs the handlers and releases the instances, both in reverse order of construction.
    private func close(_ index: Int, fails: Bool) -> String? {
        if !containers[index].isClosed {
            for closable in containers[index].closables.reversed() {
                for (number, end) in closable.recipe.ends.enumerated().reversed() {
                    let text =
                        switch end.form {
                        case .plain: ""
                        case .withFailure: "\(fails)"
                        case .mainActor: "main"
                        }
                    log.lines.append("r\(closable.recipe.number) closes #\(closable.part.number), \(number), \(text)")
                    if end.fails {
                        let type = reportedTypes[closable.recipe.key.type].type
                        containers[index].failures.append("\(type):\(closable.recipe.number)")
                    }
                }
            }
            containers[index].isClosed = true
            var retained: [(id: Int, object: AnyObject)] =
                containers[index].closables.map { (id: $0.id, object: $0.part as AnyObject) }
                + containers[index].instances.values.map { (id: $0.id, object: $0 as AnyObject) }
            retained.sort { $0.id < $1.id }
            (containers[index].closables, containers[index].instances) = ([], [:])
            while retained.popLast() != nil {}
        }
        let failures = containers[index].failures
        return failures.isEmpty ? nil : "not closed: \(failures.joined(separator: " "))"
    }
}
