/// The end of a container, from the moment when `close()` begins.
final class Closing: Sendable {
    /// Where `close()` was called.
    let site: CallSite
    private let state = Guarded<State>(.closing(waiters: []))

    private enum State {
        /// Those wait who have called `close()` meanwhile.
        case closing(waiters: [CheckedContinuation<Void, any Error>])
        case over(Result<Void, any Error>)
    }

    init(at site: CallSite) { self.site = site }

    /// Whether the container is closed.
    var isOver: Bool { state.withLock { if case .over = $0 { true } else { false } } }

    /// Waits until the container is closed, and throws what failed.
    func wait() async throws {
        try await withCheckedThrowingContinuation { continuation in
            let outcome: Result<Void, any Error>? = state.withLock { state in
                switch state {
                case .closing(let waiters):
                    state = .closing(waiters: waiters + [continuation])
                    return nil
                case .over(let outcome): return outcome
                }
            }
            if let outcome { continuation.resume(with: outcome) }
        }
    }

    /// Lets those go on who wait.
    func end(_ outcome: Result<Void, any Error>) {
        let last = state.withLock { state in
            defer { state = .over(outcome) }
            return state
        }
        if case .closing(let waiters) = last { for waiter in waiters { waiter.resume(with: outcome) } }
    }
}
