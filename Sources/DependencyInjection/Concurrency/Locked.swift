internal import Synchronization

/// A value protected by a lock, which a thread holds briefly and without calling foreign code.
package struct Locked<Value: Sendable>: ~Copyable, Sendable {
    private let value: Mutex<Value>
    #if INJECTED_PAUSES
        /// Repeats the guarantee of the lock for the thread sanitizer, which doesn't recognize the lock.
        private let lastUse = Atomic<Bool>(false)
    #endif

    package init(_ value: consuming Value) { self.value = Mutex(value) }

    /// Runs a closure while holding the lock.
    // Not inlined: optimized code of an asynchronous function retains the address of a thread-local variable across
    // suspensions. On Linux, the function would then acquire the lock for the thread that it ran on earlier.
    @inline(never) package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        value.withLock { value in
            #if INJECTED_PAUSES
                _ = lastUse.load(ordering: .acquiring)
                defer { lastUse.store(true, ordering: .releasing) }
            #endif
            return body(&value)
        }
    }
}
