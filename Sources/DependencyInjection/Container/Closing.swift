/// The end of a container, from the moment when `close()` begins.
final class Closing: Sendable {
    /// Where `close()` was called.
    let site: CallSite
    private let state = Guarded<State>(State())

    private struct State {
        /// Nil as long as the container is being closed.
        var outcome: Result<Void, any Error>?
        /// Those who called `close()` meanwhile.
        var waiters: [CheckedContinuation<Void, any Error>] = []
    }

    init(at site: CallSite) { self.site = site }

    /// Whether the container is closed.
    var isOver: Bool { state.withLock { $0.outcome != nil } }

    /// Waits until the container is closed, and throws what failed.
    func wait() async throws {
        try await withCheckedThrowingContinuation { continuation in
            let outcome = state.withLock { state in
                if state.outcome == nil { state.waiters.append(continuation) }
                return state.outcome
            }
            if let outcome { continuation.resume(with: outcome) }
        }
    }

    /// Lets those go on who wait.
    func end(_ outcome: Result<Void, any Error>) {
        let waiters = state.withLock { state in
            state.outcome = outcome
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(with: outcome) }
    }
}
