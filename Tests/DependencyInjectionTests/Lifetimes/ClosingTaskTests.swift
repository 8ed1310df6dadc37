import DependencyInjection
import Dispatch
import Testing

@Suite("Rule 20: where and how closing runs", .mayHang, .ownThread)
struct ClosingTaskTests {
    private enum Place {
        @TaskLocal static var name = "nowhere"
    }

    @MainActor private final class Window {
        var isOpen = true
    }

    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// The main actor doesn't always run on the main thread.
    private static var isOnMainActor: Bool { DispatchQueue.getSpecific(key: key) == true }

    @Test("a main-actor instance is closed on that actor, and any other on no actor")
    @MainActor
    func actors() async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in
                    log.add("pool \(Self.isOnMainActor)")
                    await Task.yield()
                    log.add("pool \(Self.isOnMainActor)")
                }
            Shared(mainActor: Window())
                .onClose(mainActor: { window in
                    MainActor.assertIsolated()
                    window.isOpen = false
                })
                .onClose(mainActor: { (window: Window, failure) in
                    log.add("window \(window.isOpen) \(failure is Sabotage) \(Self.isOnMainActor)")
                })
        }
        _ = try app.resolve.orThrow(Pool.self)
        let window = try app.resolve.orThrow(Window.self)
        try await app.close(dueTo: Sabotage())
        #expect(log.all == ["window true true true", "pool false", "pool false"])
        #expect(!window.isOpen)
    }

    @Test("the handlers see the closing task's local values and current container")
    func taskLocals() async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in log.add("\(Place.name) \(DIContainer.resolve(Ticket.self).number)") }
        }
        _ = try app.resolve.orThrow(Pool.self)
        try await DIContainer.withContainer(DIContainer { Shared(Ticket(number: 3)) }) {
            try await Place.$name.withValue("here") { try await app.close() }
        }
        #expect(log.all == ["here 3"])
    }

    @Test("canceling the task that closes cancels nothing, and the task still waits", arguments: [true, false])
    func canceled(isEarly: Bool) async throws {
        let log = Log()
        let began = Counter()
        let gate = Gate()
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in
                    began.increment()
                    try await gate.wait()
                    log.add("pool, canceled \(Task.isCancelled)")
                }
        }
        _ = try app.resolve.orThrow(Pool.self)
        let closing = Task {
            if isEarly { while !Task.isCancelled { await Task.yield() } }
            try await app.close()
            log.add("closed, canceled \(Task.isCancelled)")
        }
        if !isEarly { #expect(await eventually { began.count == 1 }) }
        closing.cancel()
        #expect(await eventually { began.count == 1 })
        gate.open()
        try await closing.value
        #expect(log.all == ["pool, canceled false", "closed, canceled true"])
    }

    @Test("a second close() waits for the first and ends as it did")
    func second() async throws {
        let log = Log()
        let began = Counter()
        let gate = Gate()
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in
                    began.increment()
                    try await gate.wait()
                    throw Sabotage()
                }
        }
        _ = try app.resolve.orThrow(Pool.self)
        let close: @Sendable (String) -> Task<Int, Never> = { name in
            Task {
                do { try await app.close() } catch {
                    log.add(name)
                    return (error as? CloseError)?.failures.count ?? 0
                }
                return -1
            }
        }
        let first = close("first")
        #expect(await eventually { began.count == 1 })
        let second = close("second")
        try await Task.sleep(for: .milliseconds(20))
        #expect(log.all.isEmpty)
        gate.open()
        #expect(await first.value == 1)
        #expect(await second.value == 1)
        #expect(began.count == 1)
        await #expect(throws: CloseError.self) { try await app.close() }
    }

    @Test("a child closes the instance built for it, and the registering parent doesn't")
    func builtForChild() async throws {
        let (log, began, gate, parentIsClosed) = (Log(), Gate(), Gate(), Counter())
        let parent = DIContainer {
            Scoped(async: { _ in
                began.open()
                try await gate.wait()
                return Pool()
            })
            .onClose { _ in log.add("pool") }
        }
        let child = parent.makeChild { Shared(Ticket(number: 1)) }
        let request = Task { try await child.resolve.async(Pool.self) }
        try await began.wait()
        let parentEnds = Task {
            try await parent.close()
            parentIsClosed.increment()
        }
        #expect(await eventually { parentIsClosed.count == 1 })
        let childEnds = Task { try await child.close() }
        #expect(await eventually { failure { _ = try child.resolve.orThrow(Int.self) }?.reason == .closed })
        // Long enough for a wrong early end, even if all threads are busy.
        try await Task.sleep(for: .milliseconds(300))
        gate.open()
        try await childEnds.value
        #expect(log.all == ["pool"])
        _ = try? await request.value
        try await parentEnds.value
    }

    @Test("dependencies of a factory that runs for a closing child are built and closed")
    func requestDuringBuild() async throws {
        let (log, began, mayRequest) = (Log(), Gate(), Latch())
        let parent = DIContainer {
            Scoped(Pool())
                .onClose { _ in log.add("pool") }
            Scoped { resolve in
                began.open()
                mayRequest.wait()
                return Unit(pool: try resolve.orThrow())
            }
            .onClose { _ in log.add("unit") }
        }
        let child = parent.makeChild { New(Ticket(number: 1)) }
        let request = BackgroundThread { failure { _ = try child.resolve.orThrow(Unit.self) }?.kind ?? "built" }
        try await began.wait()
        let end = Task { try await child.close() }
        #expect(await eventually { failure { _ = try child.resolve.orThrow(Int.self) }?.reason == .closed })
        mayRequest.open()
        #expect(request.result() == "built")
        try await end.value
        #expect(log.all == ["unit", "pool"])
    }

    @Test("a handler that throws does not stop the others, and the error lists all failures")
    func failures() async throws {
        struct Leak: Error {}
        let log = Log()
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in log.add("pool") }
                .onClose { _ in throw Leak() }
            Shared { resolve in Unit(pool: resolve()) }
                .onClose { _ in throw Sabotage() }
        }
        _ = try app.resolve.orThrow(Unit.self)
        let error = try #require(await #expect(throws: CloseError.self) { try await app.close() })
        #expect(error.failures.map { "\($0.registration.type) \($0.error)" } == ["Unit sabotaged", "Pool Leak()"])
        #expect(log.all == ["pool"])
        let text = "\(error)"
        #expect(text.contains("completed with 2 failures."))
        #expect(text.contains("1. Unit, by the `onClose` at \(#fileID):"))
        #expect(text.contains("2. Pool, by the `onClose` at \(#fileID):"))
    }
}
