public import Synchronization

/// A strong reference that any thread may read or exchange without a lock.
///
/// A reference that may be exchanged is loaded during a read. The thread that exchanges the reference adds the old
/// object to a ``DeferredRelease`` (invariant R3). A reference that is set once may be loaded at any time.
@usableFromInline struct AtomicReference<Object: AnyObject>: ~Copyable {
    /// The address of a retained object, or nil.
    @usableFromInline let address: Atomic<UnsafeRawPointer?>

    init(_ object: Object? = nil) { address = Atomic(retainedAddress(object)) }

    deinit {
        // No other thread can reach the object any more.
        if let address = address.load(ordering: .acquiring) { Unmanaged<Object>.fromOpaque(address).release() }
    }

    /// Loads the reference. The load is sequentially consistent, as ``ThreadRecord/beginReading()`` requires.
    @inlinable func load() -> UnretainedReference<Object>? {
        guard let address = address.load(ordering: .sequentiallyConsistent) else { return nil }
        return UnretainedReference(address)
    }

    /// Replaces the object, or removes it, and returns the old one.
    func exchange(_ object: Object?) -> Object? { address.exchange(retaining: object) }

    /// Sets the reference if it is `nil`. Returns whether the reference was set.
    @discardableResult func setIfEmpty(_ object: Object) -> Bool {
        // Balanced by the thread that removes the object, or below.
        let retained = Unmanaged.passRetained(object)
        let isSet = address.compareExchange(
            expected: nil, desired: UnsafeRawPointer(retained.toOpaque()), ordering: .sequentiallyConsistent
        ).exchanged
        if !isSet { retained.release() }
        return isSet
    }
}

// Sound: all access is atomic, and the object at the address is Sendable.
extension AtomicReference: @unchecked Sendable where Object: Sendable {}

extension Atomic<UnsafeRawPointer?> {
    /// Stores the address of another object and retains that object, or stores nil. Returns the old object.
    func exchange<Object: AnyObject>(retaining object: Object?) -> Object? {
        let old = exchange(retainedAddress(object), ordering: .sequentiallyConsistent)
        // Sound: the exchange returns the old address to one thread only.
        return old.map { Unmanaged<Object>.fromOpaque($0).takeRetainedValue() }
    }
}

/// Retains an object and returns its address. Sound: the owner of the address releases the object.
func retainedAddress<Object: AnyObject>(_ object: Object?) -> UnsafeRawPointer? {
    object.map { UnsafeRawPointer(Unmanaged.passRetained($0).toOpaque()) }
}
