/// The end of a container, from the moment when `close()` begins.
final class Closing: Sendable {
    /// Where `close()` was called.
    let site: CallSite
    /// Closes what the container keeps. Nobody cancels it.
    let task: Task<Void, any Error>

    init(at site: CallSite, _ task: Task<Void, any Error>) {
        self.site = site
        self.task = task
    }
}

/// An instance that has to be closed, and the `OnClose` statements that say how, in the order in which they run.
struct Closable: Sendable {
    let instance: Instance
    var statements: [Registration]
}

/// Counts the asynchronous builds of what a container keeps.
struct BuildCount: ~Copyable, Sendable {
    struct State: Sendable {
        var count = 0
        /// Whether no build may begin any more.
        var isOver = false
        var whoWaits: CheckedContinuation<Void, Never>?
    }

    private let state = Guarded(State())

    /// Counts a build that begins; returns whether it may.
    func begin() -> Bool {
        state.withLock { state in
            if !state.isOver { state.count += 1 }
            return !state.isOver
        }
    }

    func end() {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.count -= 1
            guard state.count == 0, let waiting = state.whoWaits else { return nil }
            state.isOver = true
            return waiting
        }
        waiting?.resume()
    }

    /// Waits until no build is under way; from then on none can begin. Only one task may wait.
    func waitForLast() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                state.isOver = state.count == 0
                if !state.isOver { state.whoWaits = continuation }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }
}
