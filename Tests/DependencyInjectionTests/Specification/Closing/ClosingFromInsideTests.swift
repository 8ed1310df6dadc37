import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("Rule 20: Closing a container runs its handlers (closing from inside)", .mayHang)
struct ClosingInsideTests {
    /// Closes a container, and returns the outcome as text.
    @Sendable private static func end(of container: DIContainer) async -> String {
        do {
            try await container.close()
            return "closed"
        } catch { return (error as? CloseError).map { "refused, \($0.failures.count) failures" } ?? "\(error)" }
    }

    @Test("In an asynchronous factory and its tasks, it is refused, and the container stays open")
    func inFactory() async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in log.add("pool") }
            Shared(async: { resolve in
                _ = resolve(Pool.self)
                log.add(await Self.end(of: DIContainer.current))
                log.add(await Task { await Self.end(of: DIContainer.current) }.value)
                async let other = Self.end(of: DIContainer.current)
                log.add(await other)
                return Ticket(number: 1)
            })
        }
        #expect(try await app.resolve.async(Ticket.self).number == 1)
        #expect(log.all == Array(repeating: "refused, 0 failures", count: 3))
        #expect(try app.resolve.orThrow(Ticket.self).number == 1)
        try await app.close()
        #expect(log.all.last == "pool")
    }

    @Test("In a task that a factory has left behind, it works")
    func inTaskLeftBehind() async throws {
        let (log, task) = (Log(), Latch())
        let left = Locked<Task<Void, any Error>?>(nil)
        let app = DIContainer {
            Shared(async: { _ in
                let container = DIContainer.current
                left.withLock {
                    $0 = Task {
                        try await task.opening()
                        log.add(await Self.end(of: container))
                    }
                }
                return Ticket(number: 1)
            })
            .onClose { _ in log.add("ticket") }
        }
        _ = try await app.resolve.async(Ticket.self)
        task.open()
        try await left.withLock { $0 }?.value
        #expect(log.all == ["ticket", "closed"])
    }

    @Test("In an onClose or in its task, it is refused, and closing continues")
    func inOnClose() async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in
                    log.add(await Self.end(of: DIContainer.current))
                    log.add(await Task { await Self.end(of: DIContainer.current) }.value)
                }
        }
        _ = try app.resolve.orThrow(Pool.self)
        try await DIContainer.withContainer(app) { try await app.close() }
        #expect(log.all == ["refused, 0 failures", "refused, 0 failures"])
    }

    @Test("An onClose may close its parent, whose onClose may not close the child")
    func closesParent() async throws {
        let log = Log()
        let app = DIContainer()
        let child = app.makeChild {
            Shared(Ticket(number: 1))
                .onClose { _ in log.add("parent: \(await Self.end(of: app))") }
        }
        app.register(
            Shared(Pool())
                .onClose { [weak child] _ in log.add("child: \(await Self.end(of: child!))") })
        _ = try (app.resolve.orThrow(Pool.self), child.resolve.orThrow(Ticket.self))
        try await child.close()
        #expect(log.all == ["child: refused, 0 failures", "parent: closed"])
    }

    @Test("A task that an onClose leaves behind doesn't retain the container, even after a refused change")
    func leavesTaskBehind() async throws {
        let task = Latch()
        weak var core: ContainerCore?
        do {
            let app = DIContainer()
            app.register(
                Shared(Pool())
                    .onClose { [weak app] _ in
                        Task { try await task.opening() }
                        app?.register(Shared(1))
                    })
            core = app.core
            _ = try app.resolve.orThrow(Pool.self)
            await #expect(throws: CloseError.self) { try await app.close() }
        }
        #expect(await eventually { core == nil })
        task.open()
    }

    @Test("A handler gets built instances and its own, and other requests fail as closed")
    func resolves() async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Ticket(number: 7))
            Scoped(Pool())
                .onClose { _ in
                    log.add(DIContainer.current.error(of: Diesel.self)?.kind ?? "built")
                    // The parent is open, and the unit has no handler.
                    log.add("\(try await DIContainer.resolve.async(Ticket?.self)?.number ?? 0)")
                    log.add("\(type(of: try DIContainer.resolve.orThrow(Unit.self)))")
                    log.add("\(type(of: try DIContainer.resolve.orThrow(Pool.self)))")
                }
        }
        let child = app.makeChild {
            Shared { resolve in Unit(pool: resolve()) }
            Shared(Diesel())
        }
        _ = try child.resolve.orThrow(Unit.self)
        try await DIContainer.withContainer(child) { try await child.close() }
        #expect(log.all == ["closed", "7", "Unit", "Pool"])
        #expect(try app.resolve.orThrow(Ticket.self).number == 7)
    }

    @Test("Rule 19: two requests in an onClose are two graphs")
    func graphs() async throws {
        let differ = Locked<[Bool]>([])
        let app = DIContainer { Graph(Diesel()) }
        let child = app.makeChild {
            Shared(Ticket(number: 1))
                .onClose { _ in
                    let isPlain = app.resolve(Diesel.self) !== app.resolve(Diesel.self)
                    let first = try await app.resolve.async(Diesel.self)
                    let isAwaited = try await app.resolve.async(Diesel.self) !== first
                    differ.withLock { $0 = [isPlain, isAwaited] }
                }
        }
        _ = try child.resolve.orThrow(Ticket.self)
        try await child.close()
        #expect(differ.withLock { $0 } == [true, true])
    }

    /// A change of the current container.
    typealias Change = Row<@Sendable () -> Void>

    static let changes = [
        Change("register(_:)") { DIContainer.current.register(Shared(1)) },
        Change("unregister(_:)") { DIContainer.current.unregister(Pool.self) },
        Change("reset()") { DIContainer.current.reset() },
        Change("resetInstances()") { DIContainer.current.resetInstances() },
        Change("a decoration") {
            DIContainer.current.register(Decorate(Pool.self) { base, _ in base })
        },
        Change("ProvidedByChild") { DIContainer.current.register(ProvidedByChild(Int.self)) },
    ]

    @Test("A change in a handler is a failure of the handler", arguments: changes, [false, true])
    func changeInHandler(_ change: Change, throwsError: Bool) async throws {
        let app = DIContainer {
            Shared(Pool()).onClose { _ in
                change.value()
                if throwsError { throw Sabotage() }
            }
        }
        _ = try app.resolve.orThrow(Pool.self)
        let error = await #expect(throws: CloseError.self) {
            try await DIContainer.withContainer(app) { try await app.close() }
        }
        let failures = error?.failures.map { ($0.error as? ResolutionError)?.kind ?? "\($0.error)" }
        #expect(failures == (throwsError ? ["closed", "sabotaged"] : ["closed"]))
        // Nothing has changed.
        #expect(app.registrations.map(\.key) == ["Pool"])
        #expect(app.registrations.flatMap(\.decorators).isEmpty)
    }
}
