internal import CDependencyInjection
internal import Dispatch

/// Threads for the synchronous work of tasks that may block: plain factories, decorators, and waits for a queue. A thread
/// of the cooperative pool must not block, because the task that would end the wait may need that thread.
///
/// Work that doesn't block uses one thread for each core. If no work has begun for a while although some is waiting, the
/// running work may be blocked, and the number of threads doubles.
final class BlockingThreads: TaskExecutor {
    struct State {
        var jobs: ArraySlice<UnownedJob> = []
        /// The number of jobs that have begun.
        var begun = 0
        var threads = 0
        var isWatched = false

        /// Removes and returns the next job, or `nil` if the thread ends.
        mutating func next() -> UnownedJob? {
            guard let job = jobs.popFirst() else {
                threads -= 1
                return nil
            }
            begun += 1
            return job
        }
    }

    private static let shared = BlockingThreads()
    private static let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    private static let watch = DispatchQueue(label: "DependencyInjection.blockingThreads.watch")

    let state = Locked(State())

    /// Runs work on one of the threads, in the task of the caller.
    static func run<Result: Sendable, Failure: Error>(
        _ work: @escaping () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        // Sound: the caller is suspended until the other thread has run the work.
        nonisolated(unsafe) let work = work
        return try await withTaskExecutorPreference(shared) { () async throws(Failure) -> Result in
            try await call { () throws(Failure) -> Result in try work() }
        }
    }

    @concurrent private static func call<Result: Sendable, Failure: Error>(
        _ work: @Sendable () throws(Failure) -> Result
    ) async throws(Failure) -> Result { try work() }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { state in
            state.jobs.append(job)
            if state.threads < Self.cores {
                state.threads += 1
                addThread()
            } else if !state.isWatched {
                watch(&state)
            }
        }
    }

    private func addThread() {
        // Each serial queue gets a thread of its own, even if the threads of all other queues are blocked.
        DispatchQueue(label: "DependencyInjection.blockingThreads").async { [self] in
            while let job = state.withLock({ $0.next() }) { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }

    /// Doubles the threads if no job has begun after a while, and repeats this until no job is waiting.
    private func watch(_ state: inout State) {
        state.isWatched = !state.jobs.isEmpty
        if !state.isWatched { return }
        Self.watch.asyncAfter(deadline: .now() + .milliseconds(10)) { [self, begun = state.begun] in
            self.state.withLock { state in
                if state.begun == begun {
                    for _ in 0..<state.threads { addThread() }
                    state.threads *= 2
                }
                watch(&state)
            }
        }
    }
}
