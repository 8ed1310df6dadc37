internal import Dispatch

/// Tells whether code runs on the main actor's queue.
///
/// The thread says too little: where the main queue is drained by `dispatchMain()`, as on Linux, it moves to a worker
/// thread. And the current queue says too little inside a container's own queue, hence the note in the thread's record.
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
