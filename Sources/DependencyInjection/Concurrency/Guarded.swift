internal import Synchronization

/// Holds a value that one thread at a time uses, for a moment and without calling foreign code.
package struct Guarded<Value: Sendable>: ~Copyable, Sendable {
    private let value: Mutex<Value>
    private let lastUse = Atomic<Bool>(false)

    package init(_ value: Value) { self.value = Mutex(value) }

    /// Acquiring and releasing repeats what the lock guarantees, for tools that do not know the lock.
    // Not inlined: optimised code of an asynchronous function keeps the address of a thread-local variable while it is
    // suspended. On Linux, a lock would then be taken in the name of the thread that the function ran on before.
    @inline(never) package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        value.withLock { value in
            _ = lastUse.load(ordering: .acquiring)
            defer { lastUse.store(true, ordering: .releasing) }
            return body(&value)
        }
    }
}
