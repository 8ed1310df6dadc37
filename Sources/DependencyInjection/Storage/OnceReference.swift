public import Synchronization

/// A strong reference that is set at most once, and read by any thread without a lock.
@usableFromInline
struct OnceReference: ~Copyable, Sendable {
    /// The address of a retained object, or 0.
    @usableFromInline let bits = Atomic<UInt>(0)

    init() {}

    deinit {
        guard let address else { return }
        Unmanaged<AnyObject>.fromOpaque(address).release()
    }

    /// The object, alive as long as this reference is.
    @inlinable
    var address: UnsafeRawPointer? {
        UnsafeRawPointer(bitPattern: bits.load(ordering: .acquiring))
    }

    /// Sets the reference, unless another thread was first.
    @discardableResult
    func set(_ object: AnyObject) -> Bool {
        let retained = Unmanaged.passRetained(object)
        let (exchanged, _) = bits.compareExchange(
            expected: 0, desired: UInt(bitPattern: retained.toOpaque()), ordering: .acquiringAndReleasing)
        if !exchanged { retained.release() }
        return exchanged
    }
}
