internal import CDependencyInjection
internal import Dispatch

/// Checks for code that runs on the main actor.
enum MainActorCheck {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the innermost dispatch queue of this code is the main queue.
    ///
    /// Comparing threads isn't sufficient: if `dispatchMain()` drains the main queue, as on Linux, that queue moves to a
    /// worker thread.
    static var isMainQueue: Bool { DispatchQueue.getSpecific(key: key) == true }

    /// Whether Swift considers this code isolated to the main actor. It may have entered another queue by `sync`.
    static var isIsolated: Bool { isMainQueue || isMainExecutor }

    /// Whether the thread runs a job of the main actor.
    ///
    /// Only the run time knows this. It starts a task immediately, on this thread, if the thread is on the actor of the
    /// task. Otherwise, the task has no effect later, on another thread.
    // Detached: a task would inherit the current container as a task-local value, and retain it until it has run.
    private static var isMainExecutor: Bool {
        #if canImport(Darwin)
            if pthread_main_np() != 0 { return true }
        #endif
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return false }
        let thread = ThreadRecord.current.identity
        let isStarted = Locked(false)
        Task.immediateDetached { @MainActor in isStarted.withLock { $0 = ThreadRecord.current.identity == thread } }
        return isStarted.withLock { $0 }
    }
}
