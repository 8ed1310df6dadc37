import Foundation

/// A value protected by a lock that the thread sanitizer detects. On Linux, it doesn't detect the standard library's
/// `Mutex`.
final class Locked<Value>: @unchecked Sendable {  // The value is used under the lock only.
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&value)
    }

    var current: Value { withLock { $0 } }

    /// Removes and returns all elements.
    func takeAll() -> Value where Value: RangeReplaceableCollection {
        withLock { value in
            defer { value = Value() }
            return value
        }
    }
}
