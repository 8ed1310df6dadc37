import DependencyInjection
import Testing

/// A service that renews itself: a task of its factory requests the service's own type when the time has come.
@Suite("Rule C10: asynchronous factories that renew themselves", .mayHang)
struct AsyncRenewalTests {
    /// Counts the living dependencies of a renewal.
    private final class Token: Sendable {
        private let released: Counter
        init(made: Counter, released: Counter) {
            self.released = released
            made.increment()
        }
        deinit { released.increment() }
    }

    private final class Session: Sendable {
        let token: Token
        let isExpired = Gate()
        let next: Locked<Task<Session, any Error>?> = Locked(nil)
        init(_ token: Token) { self.token = token }

        /// Resumes the session's task, and waits for the session that the task requests.
        func renewed() async throws -> Session {
            isExpired.open()
            let task = next.withLock { $0 }
            return try await task!.value
        }
    }

    @Test("A New(async:) that renews itself retains no earlier arguments or instances")
    func new() async throws {
        let made = Counter()
        let released = Counter()
        let container = DIContainer {
            New(async: { (resolve, token: Token) in
                let session = Session(token)
                let isExpired = session.isExpired
                let task = Task {
                    try await isExpired.wait()
                    return try await resolve.async(
                        Session.self, arguments: Token(made: made, released: released))
                }
                session.next.withLock { $0 = task }
                return session
            })
        }
        var session: Session = try await container.resolve.async(
            arguments: Token(made: made, released: released))
        for _ in 0..<100 { session = try await session.renewed() }
        #expect(made.count == 101)
        #expect(await eventually { made.count - released.count <= 3 }, "\(made.count - released.count) are alive")
        session.next.withLock { $0 }?.cancel()
    }

    @Test("A Shared(async:) that renews itself retains no earlier instance")
    func shared() async throws {
        let made = Counter()
        let released = Counter()
        let container = DIContainer()
        container.register(
            Shared(async: { [weak container] resolve in
                let session = Session(Token(made: made, released: released))
                let isExpired = session.isExpired
                let task = Task {
                    try await isExpired.wait()
                    container?.resetInstances()
                    return try await resolve.async(Session.self)
                }
                session.next.withLock { $0 = task }
                return session
            }))
        var session: Session = try await container.resolve.async()
        for _ in 0..<100 { session = try await session.renewed() }
        #expect(made.count == 101)
        #expect(try container.resolve.orThrow(Session.self) === session)
        #expect(await eventually { made.count - released.count <= 3 }, "\(made.count - released.count) are alive")
        session.next.withLock { $0 }?.cancel()
    }
}
