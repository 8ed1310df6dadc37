import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

@Suite("Rule 20: Closing a container runs its handlers (requests while a container closes, and afterwards)", .mayHang)
struct ClosedContainerTests {
    @Test("An alias of a closed parent finds the child's own target, and is refused without a target")
    func aliasOfClosedParent() async throws {
        let container = DIContainer {
            Shared(Tuned(Diesel()), as: (any Starter).self)
            Shared(Diesel(), as: (any Engine).self)
        }
        container.unregister(Diesel.self)
        let child = container.makeChild { Shared(Tuned(Diesel())) }
        _ = try child.resolve.orThrow((any Starter).self)
        try await container.close()
        #expect(try child.resolve.orThrow((any Starter).self) as? Tuned === child.resolve.orThrow(Tuned.self))
        #expect(failure { _ = try child.resolve.orThrow((any Engine).self) }?.reason == .closed)
        #expect(failure { _ = try container.resolve.orThrow((any Engine).self) }?.reason == .closed)
    }

    @Test("prepare() and withChild fail with both places")
    func errors() async throws {
        let container = DIContainer { Shared(Ticket(number: 1)).onClose { _ in } }
        let line: UInt = #line + 1
        try await container.close()
        let prepared = await #expect(throws: ResolutionError.self) { try await container.prepare() }
        let child = await #expect(throws: ResolutionError.self) { try await container.withChild { _ in } }
        let current = await #expect(throws: ResolutionError.self) {
            try await DIContainer.withContainer(container) { try await DIContainer.withChild { _ in } }
        }
        // All code inside an expectation has the line of the expectation.
        for (error, requestLine) in zip([prepared, child, current], (line + 1)...) {
            let error = try #require(error, "line \(requestLine)")
            #expect(error.reason == .closed && error.key == "the container", "\(error) \(requestLine)")
            #expect("\(error)".contains("by `close()` at \(#fileID):\(line)"), "\(error) \(requestLine)")
            #expect("\(error)".contains("requested at \(#fileID):\(requestLine)"), "\(error) \(requestLine)")
        }
    }

    @Test(
        "A deinit during closing gets an instance that was built earlier, also by an alias", arguments: [false, true])
    func requestOfDeinit(isBuilt: Bool) async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Diesel(), as: (any Engine).self)
            tune()
            Shared { (resolve: Resolver) in
                ReleaseAction {
                    log.add((try? resolve.orThrow(Diesel.self).kind) ?? "refused")
                    log.add((try? resolve.orThrow((any Engine).self).kind) ?? "refused")
                }
            }
        }
        if isBuilt { _ = app.resolve((any Engine).self) }
        _ = try app.resolve.orThrow(ReleaseAction.self)
        try await app.close()
        #expect(log.all == (isBuilt ? ["diesel", "tuned diesel"] : ["refused", "refused"]))
    }
}

extension ExitTests {
    @Test("Rule 20: the default stays closed until another is set")
    static func closedDefaultContainer() async {
        await #expect(processExitsWith: .success) {
            DIContainer.register(Shared(Ticket(number: 1)))
            precondition(DIContainer.resolve(Ticket.self).number == 1)
            try await DIContainer.shared.close()
            precondition(failure { _ = try DIContainer.resolve.orThrow(Ticket.self) }?.kind == "closed")
            precondition(failure { _ = try DIContainer.resolve.orThrow(Car.self) }?.kind == "closed")
            DIContainer.shared = DIContainer { Shared(Ticket(number: 2)) }
            precondition(DIContainer.resolve(Ticket.self).number == 2)
        }
    }

    /// Rule 20: the behavior of each handle of a container in each state, which the article "Servers" lists in a table.
    @Suite("Rule 20: Closing a container runs its handlers (each handle in each state)") struct ClosingStateTests {}
}

extension ExitTests.ClosingStateTests {
    enum State: String, CaseIterable, Codable, Sendable {
        case open, closingDuringBuild, closingDuringHandler, closed, released

        /// The columns of the table.
        static let columns: [(title: String, states: [State])] = [
            ("open", [.open]), ("closing", [.closingDuringBuild, .closingDuringHandler]), ("closed", [.closed]),
            ("released", [.released]),
        ]

        var isEnding: Bool { self != .open && self != .released }
    }

    /// A way to use a container.
    struct Handle: Sendable, CustomTestStringConvertible {
        let name: String
        /// Whether the handle retains the container, which then can't be released.
        var holdsContainer = true
        /// Whether a failed request by the handle stops the program.
        var isPlain = false
        /// Creates the handle of an open container. The returned function uses the handle.
        let make: @Sendable (DIContainer) async throws -> @Sendable () async throws -> String

        var testDescription: String { name }
    }

    static let handles: [Handle] = [
        Handle(name: "`container.resolve()`", isPlain: true) { app in { app.resolve(Connection.self).origin } },
        Handle(name: "`container.resolve.orThrow()`") { app in { try app.resolve.orThrow(Connection.self).origin } },
        Handle(name: "`DIContainer.resolve.orThrow()` in `withContainer`") { app in
            { try DIContainer.withContainer(app) { try DIContainer.resolve.orThrow(Connection.self).origin } }
        },
        Handle(resolver: "a stored resolver") { try $0.orThrow(Connection.self).origin },
        Handle(name: "the resolver of a factory, after the factory", holdsContainer: false) { app in
            let stored = Locked<Resolver?>(nil)
            app.register(
                Shared(name: "storing") { resolve in
                    stored.withLock { $0 = resolve }
                    return 0
                })
            _ = app.resolve(Int.self, name: "storing")
            return { try stored.withLock { $0! }.orThrow(Connection.self).origin }
        },
        Handle(name: "a `Provider`", holdsContainer: false) { app in
            let provider = app.resolve(Provider<Connection>.self)
            return { try provider.orThrow().origin }
        },
        Handle(name: "a lazy wrapper before its first read", holdsContainer: false, isPlain: true) { app in
            let wrapper = DIContainer.withContainer(app) { LazyInject<Connection>() }
            return { wrapper.wrappedValue.origin }
        },
        Handle(name: "a lazy wrapper after its first read", holdsContainer: false) { app in
            let wrapper = DIContainer.withContainer(app) { LazyInject<Connection>() }
            _ = wrapper.wrappedValue
            return { wrapper.wrappedValue.origin }
        },
        Handle(resolver: "an Optional") { try $0.orThrow(Connection?.self)?.origin ?? "nil" },
        Handle(resolver: "an Optional of a type without a registration") {
            try $0.orThrow(Unit?.self) == nil ? "nil" : "cached"
        },
        Handle(resolver: "`resolve.all`") { try $0.orThrow.all(Connection.self).map(\.origin).joined() },
        Handle(resolver: "`resolve.async`") { try await $0.async(Connection.self).origin },
        Handle(name: "a child, for its own registration", holdsContainer: false) { app in
            let child = app.makeChild { Shared(Ticket(number: 1)) }
            return { try child.resolve.orThrow(Ticket.self).number == 1 ? "cached" : "" }
        },
        Handle(name: "a child, for an instance of the container", holdsContainer: false) { app in
            let child = app.makeChild()
            return { try child.resolve.orThrow(Connection.self).origin }
        },
        Handle(name: "a closed child, for an instance of the container", holdsContainer: false) { app in
            let child = app.makeChild()
            try await child.close()
            return { try child.resolve.orThrow(Connection.self).origin }
        },
        Handle(resolver: "a request for an instance that isn't built") {
            try $0.orThrow(Car.self).engine.kind == "unbuilt" ? "new instance" : ""
        },
        Handle(name: "`prepare()`, `withChild`") { app in
            {
                do { try await app.prepare() } catch {
                    try await app.withChild { _ in }
                    throw Sabotage()
                }
                return try await app.withChild { _ in "works" }
            }
        },
        Handle(name: "`register`, `unregister`, `reset`", isPlain: true) { app in
            {
                app.register(Shared(1))
                return "works"
            }
        },
        Handle(name: "`makeChild`", isPlain: true) { app in
            { app.makeChild().isRegistered(Connection.self) ? "works" : "" }
        },
        Handle(name: "`isRegistered`, listings, `validate()`") { app in
            {
                guard app.isRegistered(Connection.self), !app.isRegistered(Unit.self) else { return "" }
                guard "\(app)".hasPrefix("DIContainer with "), app.registrations.count > 1 else { return "" }
                _ = try app.validate()
                app.seal()
                return "works"
            }
        },
        Handle(name: "`fork`") { app in
            {
                let fork = app.fork()
                fork.register(Shared(1))
                return fork.resolve(Int.self) == 1 ? fork.resolve(Connection.self).origin : ""
            }
        },
    ]

    /// Puts a container into a state, uses the handle, and returns the outcome.
    @Sendable private static func outcome(of handle: Handle, in state: State) async throws -> String {
        let (built, activity) = (Counter(), Latch())
        var app: DIContainer? = DIContainer {
            Shared(Connection("\(built.increment())"))
            Shared(Car(engine: Diesel(kind: "unbuilt")))
            Shared(Pool())
                .onClose { _ in try await activity.opening() }
            // The argument excludes the registration from preparation.
            Shared(async: { (_: Resolver, _: Int) in try await activity.opening(returning: Diesel()) })
        }.fork()
        _ = app?.resolve(Connection.self)
        let use = try await handle.make(app!)
        var tasks: [Task<Void, any Error>] = []
        if state == .released { app = nil }
        if let app, state.isEnding {
            if state == .closingDuringHandler { _ = app.resolve(Pool.self) }
            if state == .closingDuringBuild {
                tasks.append(Task { _ = try await app.resolve.async(Diesel.self, arguments: 1) })
                await activity.isReached()
            }
            tasks.append(Task { try await app.close() })
            #expect(await eventually { app.isClosing })
            if state == .closed { for task in tasks { try await task.value } }
            if state == .closingDuringHandler { await activity.isReached() }
        }
        let outcome: String
        do { outcome = try await use() } catch let error as ResolutionError where error.reason == .closed {
            let word = state == .closed ? "was closed" : "is closing"
            let isClear =
                "\(error)".contains("The container \(word) and can no longer be used")
                && "\(error)".contains("\n  closed by `close()` at \(#fileID):")
            outcome = isClear ? "`closed`" : "\(error)"
        }
        activity.open()
        for task in tasks { try await task.value }
        return outcome
    }

    /// Returns the outcome of a handle in a state. A handle that stops the program is used in another process.
    private static func observed(_ name: String, _ state: State) async throws -> String {
        let handle = try #require(handles.first { $0.name == name })
        if handle.holdsContainer, state == .released { return "–" }
        let isServed = article[name]?[State.columns.firstIndex { $0.states.contains(state) }!] == "cached"
        guard handle.isPlain, state.isEnding, !isServed else { return try await outcome(of: handle, in: state) }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [name, state] in
            for handle in Self.handles where handle.name == name { _ = try await Self.outcome(of: handle, in: state) }
        }
        let text = result.standardError
        return text.contains("closed by `close()` at \(#fileID):") ? "stops the program" : text
    }

    /// The rows of the article, by the handles that their first cells list.
    private static let article: [String: [String]] = {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../..").standardized
        let article = root.appendingPathComponent("Sources/DependencyInjection/Documentation.docc/Servers.md")
        let text = (try? String(contentsOf: article, encoding: .utf8)) ?? ""
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
            line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
        }
        let handles = rows.flatMap { row in row[0].components(separatedBy: "; ").map { ($0, Array(row.dropFirst())) } }
        return Dictionary(handles) { first, _ in first }
    }()

    @Test("The article's table has exactly these handles and states")
    func table() {
        #expect(Set(Self.article.keys) == Set(Self.handles.map(\.name) + ["Handle", "---"]))
        #expect(Self.article["Handle"] == State.columns.map(\.title))
    }

    @Test("A handle behaves as documented in the article", arguments: handles.map { $0.name })
    func handle(_ name: String) async throws {
        var cells: [String] = []
        for (_, states) in State.columns {
            var outcomes: [String] = []
            for state in states { outcomes.append(try await Self.observed(name, state)) }
            // The result doesn't depend on the reason why `close()` waits.
            #expect(Set(outcomes).count == 1, "\(outcomes)")
            cells.append(outcomes[0])
        }
        #expect(cells == Self.article[name], "| \(name) | \(cells.joined(separator: " | ")) |")
    }
}

extension ExitTests.ClosingStateTests.Handle {
    /// Creates a handle that uses a resolver of the container.
    init(resolver name: String, _ use: @escaping @Sendable (Resolver) async throws -> String) {
        self.init(name: name, holdsContainer: false) { app in
            let resolver = app.resolve
            return { try await use(resolver) }
        }
    }
}

extension Connection {
    /// The first connection is the cached one.
    fileprivate var origin: String { name == "1" ? "cached" : "new instance" }
}
