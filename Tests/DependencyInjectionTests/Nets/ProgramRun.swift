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
            var record = ProgramRecord(result: result, isEnd: step.action.isEnd, lines: world.lines.takeAll())
            for task in world.tasks.takeAll() { record.tasks.append(await task.value) }
            outcome.records.append(record)
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
    @discardableResult
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
        let parent = spec.parent.flatMap { containers[$0] }
        let base = parent?.makeChild() ?? DIContainer()
        base.register(New { _ in Ticket(number: index) })
        register(spec.statements.map(writing.written), in: base)
        let container =
            switch variation.root {
            case _ where parent != nil, .container, .defaultContainer: base
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
                world.held.withLock { $0.append(product) }
                return ProgramResult(product)
            } catch { return ProgramResult(error) }
        }
        if isAsync, variation.prepares { try? await container.prepare() }
        let work: @Sendable () -> ProgramResult = {
            ProgramResult {
                let product = try type.send(request)
                if holds { world.held.withLock { $0.append(product) } }
                return product
            }
        }
        if isOnMain, variation.thread == .task {
            return await MainActor.run { World.$isOnMain.withValue(true, operation: work) }
        }
        if isOnMain { return await Self.onQueue(isMain: true, work) }
        switch variation.thread {
        case .four where known?.lifetimes?.isSubset(of: [.shared, .scoped]) == true:
            let results = await awaitThreads(4) { _ in work() }
            // The threads differ if any of them does not return the known result.
            return results.first { $0.text != results[0].text } ?? results[0]
        case .task, .four: return work()
        case .queue: return await Self.onQueue(isMain: false, work)
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
                if program.holdsResults { world.held.withLock { $0 += products } }
                return ProgramResult(products)
            } catch { return ProgramResult(error) }
        }
    }

    /// Performs work on the main queue or on one of its own.
    static func onQueue<Result: Sendable>(isMain: Bool, _ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            let queue = isMain ? DispatchQueue.main : DispatchQueue(label: "request")
            queue.async { continuation.resume(returning: World.$isOnMain.withValue(isMain, operation: work)) }
        }
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
        let send = { try instance(request) as? Product }
        guard let surroundings = request.surroundings else { return try send() }
        return try DIContainer.withContainer(surroundings, operation: send)
    }

    private func instance(_ request: ProgramRequest) throws -> (any Sendable)? {
        let (resolve, name, file, line) = (request.resolve, request.name, "Program.swift" as StaticString, request.line)
        // The default container needs no name.
        let named = request.isOfDefault ? nil : request.container
        return switch (request.handle, request.argument) {
        case (.plain, let argument?): resolve(T.self, name: name, arguments: argument, file: file, line: line)
        case (.inferred, let argument?): resolve(argument, name: name, file: file, line: line) as T
        case (.all, let argument?): resolve(T.self, name: name, file: file, line: line) { argument }
        case (.ownProvider, let argument?):
            try request.remembering { Provider<T, Int>(name: name) }.orThrow(argument, file: file, line: line)
        case (.provider, let argument?):
            try resolve.orThrow(Provider<T, Int>.self, name: name, file: file, line: line)
                .orThrow(argument, file: file, line: line)
        case (.alias, let argument?):
            try resolve.orThrow(Via.self, name: name, arguments: argument, file: file, line: line)
        case (.optional, let argument?):
            try resolve.orThrow(T?.self, name: name, arguments: argument, file: file, line: line)
        case (_, let argument?): try resolve.orThrow(T.self, name: name, arguments: argument, file: file, line: line)
        case (.orThrow, nil), (.async, nil): try resolve.orThrow(T.self, name: name, file: file, line: line)
        case (.plain, nil): resolve(T.self, name: name, file: file, line: line)
        case (.inferred, nil): resolve(name: name, file: file, line: line) as T
        case (.optional, nil): try resolve.orThrow(T?.self, name: name, file: file, line: line)
        case (.provider, nil):
            try resolve.orThrow(Provider<T>.self, name: name, file: file, line: line).orThrow(file: file, line: line)
        case (.optionalProvider, nil):
            try resolve.orThrow(Provider<T>?.self, name: name, file: file, line: line)?.orThrow(file: file, line: line)
        case (.ownProvider, nil): try request.remembering { Provider<T>(name: name) }.orThrow(file: file, line: line)
        case (.all, nil): resolve.all(T.self, name: name, file: file, line: line).first
        case (.alias, nil): try resolve.orThrow(Via.self, name: name, file: file, line: line)
        case (.inject, nil): Inject<T>(from: named, name: name, file: file, line: line).wrappedValue
        case (.mutableInject, nil): MutableInject<T>(from: named, name: name, file: file, line: line).wrappedValue
        case (.lazyInject, nil): LazyInject<T>(from: named, name: name, file: file, line: line).wrappedValue
        case (.mutableLazyInject, nil):
            MutableLazyInject<T>(from: named, name: name, file: file, line: line).wrappedValue
        case (.rememberingLazyInject, nil):
            request.remembering { LazyInject<T>(name: name, file: file, line: line) }.wrappedValue
        case (.rememberingMutableLazyInject, nil):
            request.remembering { MutableLazyInject<T>(name: name, file: file, line: line) }.wrappedValue
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
                let seesReleases = !program.isAsync && !program.startsTasks && variation.thread == .task
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
