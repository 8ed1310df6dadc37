internal import Dispatch

/// Tells whether code runs on the main actor's queue.
///
/// To compare threads is not enough: if `dispatchMain()` drains the main queue, as on Linux, that moves to a worker thread. To
/// compare queues is not enough inside a container's own queue, so the thread's record has a note of where it came from.
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
