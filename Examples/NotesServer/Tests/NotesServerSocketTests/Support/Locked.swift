import Synchronization

/// A value protected by a lock, for several tasks.
final class Locked<Value: Sendable>: Sendable {
    private let stored: Mutex<Value>

    init(_ value: Value) { stored = Mutex(value) }

    var value: Value { stored.withLock { $0 } }

    func change(_ change: (inout Value) -> Void) {
        stored.withLock { stored in
            var value = stored
            change(&value)
            stored = value
        }
    }
}
