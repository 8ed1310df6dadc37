internal import Dispatch

/// Tells whether code runs on the main actor's queue.
///
/// Comparing threads is not enough: if `dispatchMain()` drains the main queue, as on Linux, that queue moves to a
/// worker thread. Comparing queues is not enough inside a container's own queue, so the thread's record notes where the
/// thread came from.
enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool {
        DispatchQueue.getSpecific(key: key) == true || ThreadRecord.current.isOnMainQueue
    }
}
