internal import Dispatch

/// A check for code that runs on the main actor's queue.
///
/// Comparing threads isn't sufficient: if `dispatchMain()` drains the main queue, as on Linux, that queue moves to a
/// worker thread.
enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
