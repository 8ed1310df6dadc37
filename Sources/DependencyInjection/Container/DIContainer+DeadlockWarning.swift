internal import Synchronization

extension DIContainer {
    /// The time after which a thread that waits for a container prints a report about the container's build. `nil` for
    /// no report.
    ///
    /// ```swift
    /// DIContainer.deadlockWarningDelay = .seconds(2)
    /// ```
    /// A factory that blocks on another thread deadlocks if that thread resolves from the same container. The report on
    /// standard error then names the registration that is being built, the path, the thread and the elapsed time. Each
    /// wait is reported once. The default is five seconds in debug builds of the library, and otherwise `nil`. Can be
    /// read and set on any thread.
    public static var deadlockWarningDelay: Duration? {
        get {
            let milliseconds = LongWait.delay.load(ordering: .relaxed)
            return milliseconds == 0 ? nil : .milliseconds(milliseconds)
        }
        set {
            LongWait.delay.store(
                newValue.map { max(1, Int(min($0 / .milliseconds(1), 1e12))) } ?? 0, ordering: .relaxed)
        }
    }
}
