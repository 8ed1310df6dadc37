import Dispatch

/// A classic Swift microframework: a serial queue with re-entry through queue-specific data, a dictionary of `Any`, and
/// a forced cast.
final class QueueLocator {
    private let queue = DispatchQueue(label: "QueueLocator")
    private let key = DispatchSpecificKey<Bool>()
    private var instances: [ObjectIdentifier: Any] = [:]

    init() {
        queue.setSpecific(key: key, value: true)
    }

    func register<T>(_ value: T) {
        synchronized { instances[ObjectIdentifier(T.self)] = value }
    }

    func resolve<T>(_ type: T.Type = T.self) -> T {
        synchronized { instances[ObjectIdentifier(type)] as! T }
    }

    private func synchronized<Result>(_ work: () -> Result) -> Result {
        if DispatchQueue.getSpecific(key: key) == true { return work() }
        return queue.sync(execute: work)
    }
}
