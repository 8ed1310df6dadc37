internal import Synchronization

extension DIContainer {
    /// How long a thread waits for a container before it prints what the container is building; nil for never.
    ///
    /// ```swift
    /// DIContainer.waitReportDelay = .seconds(2)
    /// ```
    /// A factory that waits for another thread stops for good if that thread asks the same container. The report, on
    /// standard error, then names what is being built, on which path and thread, and since when. It is printed once for
    /// each wait. The default is five seconds if the library is built for debugging, and otherwise nil. May be read and
    /// set on any thread.
    public static var waitReportDelay: Duration? {
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
