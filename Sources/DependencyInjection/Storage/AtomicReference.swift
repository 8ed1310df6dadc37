public import Synchronization

/// A strong reference that any thread may read or exchange without a lock.
///
/// A reference that may be exchanged must be loaded during a read. Whoever exchanges it must release the old object
/// only after ``ThreadRecord/waitForReaders()``. A reference that is set once may be loaded at any time.
@usableFromInline struct AtomicReference<Object: AnyObject>: ~Copyable {
    /// The address of a retained object, or nil.
    @usableFromInline let address: Atomic<UnsafeRawPointer?>

    init(_ object: Object? = nil) { address = Atomic(retainedAddress(object)) }

    deinit {
        // Nobody else can see it any more.
        if let address = address.load(ordering: .acquiring) { Unmanaged<Object>.fromOpaque(address).release() }
    }

    /// Loads the reference. The load is sequentially consistent, as ``ThreadRecord/beginReading()`` requires.
    @inlinable func load() -> Borrowed<Object>? {
        guard let address = address.load(ordering: .sequentiallyConsistent) else { return nil }
        return Borrowed(address)
    }

    /// Sets another object, or none, and returns the old one.
    func exchange(_ object: Object?) -> Object? { address.exchange(retaining: object) }

    /// Sets the reference if it is nil; returns whether it did.
    @discardableResult func setIfEmpty(_ object: Object) -> Bool {
        // Balanced by whoever takes it out, or below if it is not put in.
        let retained = Unmanaged.passRetained(object)
        let isSet = address.compareExchange(
            expected: nil, desired: UnsafeRawPointer(retained.toOpaque()), ordering: .sequentiallyConsistent
        ).exchanged
        if !isSet { retained.release() }
        return isSet
    }
}

// Sound: all access is atomic, and what the address leads to is Sendable.
extension AtomicReference: @unchecked Sendable where Object: Sendable {}

extension Atomic<UnsafeRawPointer?> {
    /// Sets the address of another object, which is retained, or none; returns the old one, which the address kept.
    func exchange<Object: AnyObject>(retaining object: Object?) -> Object? {
        let old = exchange(retainedAddress(object), ordering: .sequentiallyConsistent)
        // Sound: nobody else can take out what the exchange returned.
        return old.map { Unmanaged<Object>.fromOpaque($0).takeRetainedValue() }
    }
}

/// Retains an object. Sound: whoever takes the address out of where it is put balances this.
func retainedAddress<Object: AnyObject>(_ object: Object?) -> UnsafeRawPointer? {
    object.map { UnsafeRawPointer(Unmanaged.passRetained($0).toOpaque()) }
}
