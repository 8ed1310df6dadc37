import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

/// Runs a program in some words.
struct ProgramRun {
    /// The time to wait for the release of instances, in seconds. It is short while a failing program is made smaller,
    /// because most of these waits end without success.
    @TaskLocal static var patience = longestWait

    let program: Program
    let variation: MetamorphicVariation
    /// The outcome of the program in its own words, or nil during that run.
    let reference: ProgramOutcome?
    let world: World
    let writing: Writing
    var containers: [DIContainer?] = []
    var closed: Set<Int> = []
    /// Empty children of the containers, and theirs.
    var children: [(DIContainer, DIContainer)?] = []
    /// Whether the program has asynchronous registrations.
    let isAsync: Bool

    init(
        _ program: Program, _ variation: MetamorphicVariation = MetamorphicVariation(),
        comparedWith reference: ProgramOutcome? = nil
    ) {
        self.program = program
        self.variation = variation
        self.reference = reference
        isAsync = program.isAsync
        world = World(startsTasks: program.startsTasks)
        writing = Writing(world: world, variation: variation)
        for index in program.containers.indices { makeContainer(index) }
    }

    /// Creates the containers of a program for some work, and finally closes and releases them.
    static func with<Result>(
        _ program: Program, _ variation: MetamorphicVariation = MetamorphicVariation(),
        _ work: (inout ProgramRun) async -> Result
    ) async -> Result {
        var run = ProgramRun(program, variation)
        let result = await work(&run)
        _ = await run.end()
        return result
    }

    /// Runs a program.
    ///
    /// - Parameter isListed: Whether to list and validate the containers in the end, which takes longer than all else.
    static func outcome(
        of program: Program, by variation: MetamorphicVariation = MetamorphicVariation(),
        comparedWith reference: ProgramOutcome? = nil, isListed: Bool
    ) async -> ProgramOutcome {
        var run = ProgramRun(program, variation, comparedWith: reference)
        let world = run.world
        var outcome = ProgramOutcome()
        for (index, step) in program.steps.enumerated() {
            let result = await run.perform(step, index)
            outcome.records.append(
                ProgramRecord(
                    result: result, isEnd: step.action.isEnd, lines: world.lines.takeAll(),
                    tasks: await world.takeTasks()))
        }
        for case let container? in run.containers where isListed {
            outcome.listing += container.listing.map(\.properties)
            outcome.findings += findings(container).map { "\($0.kind) \($0.key):\($0.line)" }
        }
        outcome.records += await run.end().map { ProgramRecord(result: $0, isEnd: true) }
        if !(await eventually(within: Self.patience) { world.living == 0 }) {
            world.note("\(world.living) were never released")
        }
        outcome.records.append(ProgramRecord(lines: world.lines.takeAll()))
        return outcome
    }

    /// Closes and releases the containers, children first. Returns the results of closing.
    mutating func end() async -> [ProgramResult?] {
        var results: [ProgramResult?] = []
        for index in containers.indices.reversed() {
            if program.hasEnds { results.append(await close(index, fails: false)) }
            drop(index)
        }
        world.letGo()
        return results
    }

    // MARK: Registering

    private mutating func makeContainer(_ index: Int) {
        let spec = program.containers[index]
        let container: DIContainer
        if let parent = spec.parent, let parent = containers[parent] {
            container = parent.makeChild()
            write(index, in: container)
        } else {
            let base = DIContainer()
            write(index, in: base)
            container =
                switch variation.root {
                case .container, .defaultContainer: base
                case .fork: base.fork()
                case .forkOfFork: base.fork().fork()
                case .overrides:
                    DIContainer.withContainer(base) {
                        DIContainer.withOverrides {
                        } operation: {
                            DIContainer.current
                        }
                    }
                }
        }
        if index == 0, variation.root == .defaultContainer { DIContainer.shared = container }
        containers.append(container)
        let child = variation.places == nil ? nil : container.makeChild()
        children.append(child.map { ($0, $0.makeChild()) })
        if variation.isObserved {
            container.observe { [weak container] _ in
                _ = World.current
                _ = try? container?.resolve.orThrow(Ticket.self)
            }
        }
    }

    private mutating func write(_ index: Int, in container: DIContainer) {
        writing.mark(container, index)
        if repeatsDecorators {
            // Not those of the parent where there is a grandparent, so that others stand between.
            let ancestors = program.chain(from: index).dropFirst()
            for ancestor in (ancestors.count > 1 ? ancestors.dropFirst() : ancestors).reversed() {
                // An ancestor's decorator leaves alone what a container below the ancestor registers.
                let below = program.chain(from: index).prefix { $0 != ancestor }
                for statement in program.containers[ancestor].statements {
                    guard case .decorate(let decorator) = statement, !program.registers(decorator.key, in: below)
                    else { continue }
                    container.register { Module(writing.written(statement)) }
                }
            }
        }
        register(program.containers[index].statements.map(writing.written), in: container)
    }

    /// A decorator of a parent that was reset is left in its children.
    var repeatsDecorators: Bool {
        variation.repeatsDecorators
            && !program.steps.contains {
                switch $0.action {
                case .reset, .close: true
                default: false
                }
            }
    }

    private func register(_ statements: [any RegistrationConvertible], in container: DIContainer) {
        switch variation.grouping {
        case .one: container.register { for statement in statements { Module(statement) } }
        case .each: for statement in statements { container.register { Module(statement) } }
        case .list: container.register { Module(statements) }
        case .module: container.register { Module { Module(statements) } }
        case .namedModule: container.register { Module("M") { Module(statements) } }
        case .nestedModules:
            container.register { Module { Module("M") { Module { Module("N") { Module(statements) } } } } }
        case .condition:
            container.register {
                if statements.isEmpty { Module() } else { for statement in statements { Module(statement) } }
            }
        case .twice:
            let module = Module(statements)
            container.register { module }
            container.register { module }
        }
    }

    // MARK: Steps

    mutating func perform(_ step: Program.Step, _ index: Int) async -> ProgramResult? {
        guard let container = containers[step.container] else { return nil }
        switch step.action {
        case .request(let request): return await perform(request, of: container, step.container, index)
        case .requestMembers: return await requestMembers(of: container)
        case .add, .unregister, .reset, .resetInstances:
            if !closed.contains(step.container) { writing.change(container, by: step) }
            return nil
        case .close(let fails): return await close(step.container, fails: fails)
        case .drop:
            // A container that is released without being closed reports that.
            let result = program.hasEnds ? await close(step.container, fails: false) : nil
            drop(step.container)
            return result
        }
    }

    mutating func close(_ container: Int, fails: Bool) async -> ProgramResult? {
        closed.insert(container)
        do { try await containers[container]?.close(dueTo: fails ? Sabotage() : nil) } catch {
            return ProgramResult(error)
        }
        return nil
    }

    mutating func drop(_ index: Int) {
        if index == 0, variation.root == .defaultContainer { DIContainer.shared = DIContainer() }
        children[index] = nil
        containers[index] = nil
    }
}

extension DIContainer {
    /// The listed registrations of a program, without the tickets that mark a container.
    var listing: [RegistrationInfo] { registrations.filter { $0.type != Ticket.self } }
}

extension RegistrationInfo {
    /// The properties that a wording must not change.
    var properties: String {
        "\(key):\(line) \(lifetime.map { "\($0)" } ?? "") as \(aliases.sorted()) into \(collections.sorted()) "
            + "\(decorators.map(\.line)) \(isBuilt) \(isInherited) \(isAsync) \(isMainActor)"
    }
}

// The requests of a run.
extension ProgramRun {
    private func perform(
        _ request: Program.Request, of container: DIContainer, _ index: Int, _ step: Int
    ) async -> ProgramResult {
        let known = reference?.records[step].result
        let (handle, place) = form(of: request, to: index, step, known)
        let target =
            switch place {
            case .child: children[index]?.0 ?? container
            case .grandchild: children[index]?.1 ?? container
            case .container, .current: container
            }
        let isOfDefault = variation.root == .defaultContainer && index == 0
        let surroundings: DIContainer? =
            switch (place, variation.surroundings) {
            case _ where isOfDefault: nil
            case (.current, _), (_, .requested): container
            case (_, .parent): program.containers[index].parent.flatMap { containers[$0] } ?? container
            case (_, .other): containers[(index + 1) % containers.count] ?? container
            case (_, .none): nil
            }
        let isOnMain = request.isOnMain
        let request = ProgramRequest(
            resolve: place == .current || isOfDefault ? DIContainer.resolve : target.resolve, key: request.key,
            name: writing.name(request.key), argument: request.argument, line: UInt(1_000 + step),
            handle: handle, container: target, surroundings: surroundings, isOfDefault: isOfDefault)
        let (world, holds, type) = (world, program.holdsResults, reportedTypes[request.key.type])

        if isAsync, handle == .async {
            do {
                let product = try await type.sendAsync(request)
                world.hold(product)
                return ProgramResult(product)
            } catch { return ProgramResult(error) }
        }
        if isAsync, variation.prepares { try? await container.prepare() }
        let work: @Sendable () -> ProgramResult = {
            ProgramResult {
                let product = try type.send(request)
                if holds { world.hold(product) }
                return product
            }
        }
        if isOnMain { return await Self.onMain(variation.thread, work) }
        switch variation.thread {
        case .four where known?.lifetimes?.isSubset(of: [.shared, .scoped]) == true:
            let results = await awaitThreads(4) { _ in work() }
            // The threads differ if any of them does not return the known result.
            return results.first { $0.text != results[0].text } ?? results[0]
        case .task, .four: return work()
        case .queue: return await Self.on(DispatchQueue(label: "request"), work)
        case .thread: return await awaitThreads(1) { _ in work() }[0]
        }
    }

    /// The form of a request: the form of the variation, if that cannot make a difference here.
    private func form(
        of request: Program.Request, to index: Int, _ step: Int, _ known: ProgramResult?
    ) -> (handle: MetamorphicVariation.Handle, place: MetamorphicVariation.Place) {
        guard let known else { return (isAsync ? .async : .orThrow, .container) }
        var handle: MetamorphicVariation.Handle = MetamorphicVariation.choice(variation.handles, at: step) ?? .orThrow
        let isClosed = known.isClosed || closed.contains(index)
        if handle.traps && !known.isProduct { handle = .orThrow }
        switch handle {
        // An error names the alias. Another registration may satisfy a request for a protocol.
        case .alias where !known.isProduct || request.key.type >= firstProtocolType: handle = .orThrow
        case .all where request.argument == nil && writing.name(request.key) == nil: handle = .orThrow
        // Rule 20: the request includes all parents, one of which may be closed.
        case .all where closesParent: handle = .orThrow
        // Rule 8: nil instead of an error.
        case .optional where known.isMissing, .optionalProvider where known.isMissing: handle = .orThrow
        // A closed container gives no provider, although it may resolve instances of its open parent.
        case .provider where isClosed, .optionalProvider where isClosed: handle = .orThrow
        case .async: handle = .orThrow
        default: break
        }
        if isAsync {
            // A Scoped type is only prepared where there is a parent.
            let hasScoped = known.lifetimes?.contains(.scoped) ?? true
            let isPrepared =
                variation.prepares && known.isProduct && isNeverChanged
                && !(hasScoped && program.containers[index].parent == nil)
            handle = !isPrepared ? .async : handle.traps ? .orThrow : handle
        }
        let place: MetamorphicVariation.Place =
            variation.root == .defaultContainer
            ? .container : MetamorphicVariation.choice(variation.places, at: step) ?? .container
        // Rules 10 and 19: these are a container's own.
        let mayMove = known.lifetimes?.isDisjoint(with: [.scoped, .graph]) ?? false
        return (handle, place == .current || mayMove ? place : .container)
    }

    /// Whether the program only sends requests, and nothing fails.
    private var isNeverChanged: Bool {
        program.recipes.allSatisfy { $0.failures == 0 }
            && program.steps.allSatisfy { if case .request = $0.action { true } else { false } }
    }

    /// Whether the program closes a container that has children.
    private var closesParent: Bool {
        program.steps.contains { step in
            switch step.action {
            case .close, .drop: program.containers.contains { $0.parent == step.container }
            default: false
            }
        }
    }

    /// Resolves the collection of `any Sendable`.
    private func requestMembers(of container: DIContainer) async -> ProgramResult {
        await DIContainer.withContainer(container) {
            do {
                let members =
                    if isAsync {
                        Array(try await container.resolve.async(All<any Sendable>.self))
                    } else {
                        try container.resolve.orThrow.all((any Sendable).self)
                    }
                let products = members.map { $0 as? Product }
                if program.holdsResults { products.forEach(world.hold) }
                return ProgramResult(products)
            } catch { return ProgramResult(error) }
        }
    }

    static func onMain<Result: Sendable>(
        _ thread: MetamorphicVariation.Thread = .task, _ work: @escaping @Sendable () -> Result
    ) async -> Result {
        let marked = { @Sendable in World.$isOnMain.withValue(true) { work() } }
        return thread == .task ? await MainActor.run { marked() } : await on(.main, marked)
    }

    private static func on<Result: Sendable>(
        _ queue: DispatchQueue, _ work: @escaping @Sendable () -> Result
    ) async -> Result {
        await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: work()) } }
    }
}

/// One request of a program, and how it is made.
struct ProgramRequest: Sendable {
    var resolve: Resolver
    var key: Program.Key
    var name: RegistrationName?
    var argument: Int?
    var line: UInt
    var handle = MetamorphicVariation.Handle.orThrow
    /// The container of the `resolve` in use.
    var container: DIContainer?
    /// The container in whose scope it is made.
    var surroundings: DIContainer?
    /// Whether it is made of the default container.
    var isOfDefault = false

    /// Creates an owner that remembers its container: before the default one is set, or in the container's scope.
    func remembering<Owner>(_ make: () -> Owner) -> Owner {
        if isOfDefault {
            let container = DIContainer.shared
            DIContainer.shared = DIContainer()
            defer { DIContainer.shared = container }
            return make()
        }
        guard let container else { return make() }
        return DIContainer.withContainer(container, operation: make)
    }
}

extension ProgramType {
    func sendAsync(_ request: ProgramRequest) async throws -> Product? {
        if let surroundings = request.surroundings {
            var request = request
            request.surroundings = nil
            return try await DIContainer.withContainer(surroundings) { [request] in try await sendAsync(request) }
        }
        let (resolve, name, file, line) = (request.resolve, request.name, "Program.swift" as StaticString, request.line)
        if let argument = request.argument {
            return try await resolve.async(T.self, name: name, arguments: argument, file: file, line: line) as? Product
        }
        if request.handle == .optional {
            return try await resolve.async(T?.self, name: name, file: file, line: line) as? Product
        }
        return try await resolve.async(T.self, name: name, file: file, line: line) as? Product
    }

    func send(_ request: ProgramRequest) throws -> Product? {
        let send = { try (request.argument.map { try instance(request, $0) } ?? instance(request)) as? Product }
        guard let surroundings = request.surroundings else { return try send() }
        return try DIContainer.withContainer(surroundings, operation: send)
    }

    private func instance(_ request: ProgramRequest) throws -> (any Sendable)? {
        let (resolve, name, file, line) = (request.resolve, request.name, "Program.swift" as StaticString, request.line)
        // The default container needs no name.
        let named = request.isOfDefault ? nil : request.container
        return switch request.handle {
        case .orThrow, .async: try resolve.orThrow(T.self, name: name, file: file, line: line)
        case .plain: resolve(T.self, name: name, file: file, line: line)
        case .inferred: resolve(name: name, file: file, line: line) as T
        case .optional: try resolve.orThrow(T?.self, name: name, file: file, line: line)
        case .provider:
            try resolve.orThrow(Provider<T>.self, name: name, file: file, line: line).orThrow(file: file, line: line)
        case .optionalProvider:
            try resolve.orThrow(Provider<T>?.self, name: name, file: file, line: line)?.orThrow(file: file, line: line)
        case .ownProvider: try request.remembering { Provider<T>(name: name) }.orThrow(file: file, line: line)
        case .all: resolve.all(T.self, name: name, file: file, line: line).first
        case .alias: try resolve.orThrow(Via.self, name: name, file: file, line: line)
        case .inject: Inject<T>(from: named, name: name, file: file, line: line).wrappedValue
        case .mutableInject: MutableInject<T>(from: named, name: name, file: file, line: line).wrappedValue
        case .lazyInject: LazyInject<T>(from: named, name: name, file: file, line: line).wrappedValue
        case .mutableLazyInject: MutableLazyInject<T>(from: named, name: name, file: file, line: line).wrappedValue
        case .rememberingLazyInject:
            request.remembering { LazyInject<T>(name: name, file: file, line: line) }.wrappedValue
        case .rememberingMutableLazyInject:
            request.remembering { MutableLazyInject<T>(name: name, file: file, line: line) }.wrappedValue
        }
    }

    private func instance(_ request: ProgramRequest, _ argument: Int) throws -> (any Sendable)? {
        let (resolve, name, file, line) = (request.resolve, request.name, "Program.swift" as StaticString, request.line)
        return switch request.handle {
        case .plain: resolve(T.self, name: name, arguments: argument, file: file, line: line)
        case .inferred: resolve(argument, name: name, file: file, line: line) as T
        case .all: resolve(T.self, name: name, file: file, line: line) { argument }
        case .ownProvider:
            try request.remembering { Provider<T, Int>(name: name) }.orThrow(argument, file: file, line: line)
        case .provider:
            try resolve.orThrow(Provider<T, Int>.self, name: name, file: file, line: line)
                .orThrow(argument, file: file, line: line)
        case .alias: try resolve.orThrow(Via.self, name: name, arguments: argument, file: file, line: line)
        case .optional: try resolve.orThrow(T?.self, name: name, arguments: argument, file: file, line: line)
        default: try resolve.orThrow(T.self, name: name, arguments: argument, file: file, line: line)
        }
    }
}

/// The result of a request.
struct ProgramResult: Sendable {
    var text: String
    /// The lifetimes of the instance and its dependencies, or nil for an error.
    var lifetimes: Set<Program.Lifetime>?
    /// Whether the requested type itself is not registered.
    var isMissing = false
    var isClosed = false
    /// The whole text of an error.
    var message: String?

    init(_ product: Product?) {
        text = product?.structure ?? "nil"
        lifetimes = product?.lifetimes ?? []
    }

    init(_ collection: [Product?]) {
        text = "[\(collection.map { $0?.structure ?? "nil" }.joined(separator: ", "))]"
        lifetimes = []
    }

    init(_ error: any Error) {
        if let error = error as? CloseError {
            text =
                "not closed: "
                + error.failures.map { "\($0.registration.type):\($0.registration.line)" }.joined(separator: " ")
            return
        }
        guard let error = error as? ResolutionError else {
            text = "\(error)"
            return
        }
        let path = error.path.map { "\($0.id):\($0.line)" }.joined(separator: " → ")
        text = "\(error.reason) of \(error.key) at \(error.line), path [\(path)]"
        if let underlying = error.reason.underlyingError { text += ", \(underlying)" }
        // The name that a variation gives to unnamed registrations.
        text = text.replacing(" named \"u\"", with: "").replacing(/Optional<(.*?)>/) { "\($0.1)" }
            .replacing("any ", with: "")
        message = error.description
        isMissing = error.reason == .notRegistered && error.path.isEmpty
        isClosed = error.reason == .closed
    }

    init(_ work: () throws -> Product?) { do { self.init(try work()) } catch { self.init(error) } }

    var isProduct: Bool { lifetimes != nil }
}

/// The record of one step of a program.
struct ProgramRecord: Sendable {
    var result: ProgramResult?
    /// Whether the step closes a container.
    var isEnd = false
    /// The actions of factories and the releases, in order.
    var lines: [String] = []
    var tasks: [String] = []
}

/// The outcome of a program.
struct ProgramOutcome: Sendable {
    var records: [ProgramRecord] = []
    /// The registrations of all containers, as they are listed at the end.
    var listing: [String] = []
    var findings: [String] = []

    /// The part that has to be the same with a variation, as lines of text.
    func lines(_ program: Program, _ variation: MetamorphicVariation) -> [String] {
        var lines: [String] = []
        for (index, record) in records.enumerated() {
            // Preparing builds in another order.
            if !(program.isAsync && variation.prepares) {
                // A task may retain an awaited instance or its container for a moment, and a thread its argument.
                // Rule 1: instances derived from a replaced one are released later, at a request or change. Decorators
                // that are repeated in a child derive instances from a parent's instance.
                let seesReleases =
                    !program.isAsync && !program.startsTasks && variation.thread == .task
                    && !(variation.repeatsDecorators && program.isEverChanged)
                lines += record.lines.filter { seesReleases || !$0.hasPrefix("release") }
            }
            // Tasks outside of every scope see the default container.
            // A task may run before its container is closed, or afterwards.
            if variation.surroundings != .none, variation.root != .defaultContainer, !record.isEnd {
                lines += record.tasks
            }
            // Preparing opens more.
            if record.isEnd, program.isAsync, variation.prepares { continue }
            if let result = record.result { lines.append("step \(index): \(result.text)") }
        }
        lines = Self.renumbered(lines)
        // Rule 16: such a decorator is a step of the path, even if it does not wrap again, and closes a cycle sooner.
        if variation.repeatsDecorators {
            lines = lines.map { $0.replacing(/: [a-zA-Z]+( of .* at [0-9]+, path \[.*\])/, with: ": error") }
        }
        if variation.keepsListing {
            // A replacement in a fork is not a mistake.
            lines += listing + findings.filter { variation.root == .container || !$0.hasPrefix("replaced") }
        }
        return lines
    }

    /// Counts instances in the order in which they are mentioned.
    static func renumbered(_ lines: [String]) -> [String] {
        var numbers: [Substring: Int] = [:]
        return lines.map { line in
            line.replacing(/#[0-9]+/) { match in
                let number = numbers[match.0] ?? numbers.count + 1
                numbers[match.0] = number
                return "#\(number)"
            }
        }
    }
}
