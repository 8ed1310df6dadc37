internal import Dispatch

/// A check for code that runs on the main actor's queue.
///
/// Comparing threads isn't sufficient: if `dispatchMain()` drains the main queue, as on Linux, that queue moves to a
/// worker thread. Comparing queues isn't sufficient inside a container's own queue, so the thread's record stores
/// whether the thread entered from the main queue.
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
