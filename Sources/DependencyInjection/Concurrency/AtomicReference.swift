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

/// Retains an object and returns its address.
func retainedAddress<Object: AnyObject>(_ object: Object?) -> UnsafeRawPointer? {
    // Sound: the owner of the address releases the object.
    object.map { UnsafeRawPointer(Unmanaged.passRetained($0).toOpaque()) }
}

/// A reference that doesn't retain its object. Another reference retains the object while this one is used.
///
/// It is sound in two cases: during a read, for each object reached through an ``AtomicReference`` or a ``SlotTable``,
/// and during a call, for each object that the caller retains. Frequently used objects are read this way, because
/// threads that retain the same object contend for its reference count.
///
/// Unchecked: the reference alone does nothing, and the objects that threads reach through it are Sendable.
@frozen @usableFromInline struct UnretainedReference<Object: AnyObject>: Equatable, @unchecked Sendable {
    // Sound: see above.
    @usableFromInline let reference: Unmanaged<Object>

    // Always inlined: in generic code, a call would look up the metadata of the object's type.
    @inlinable @inline(__always) init(_ object: Object) { reference = .passUnretained(object) }

    @inlinable @inline(__always) init(_ address: UnsafeRawPointer) { reference = .fromOpaque(address) }

    /// The object, retained by the caller.
    var object: Object { reference.takeUnretainedValue() }
    var identity: ObjectIdentifier { with { ObjectIdentifier($0) } }

    /// Uses the object without retaining it.
    @inlinable @inline(__always) func with<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
        try reference._withUnsafeGuaranteedRef(body)
    }

    /// Returns the same object under a type that the caller guarantees.
    @inlinable @inline(__always)
    func unsafelyCast<Other: AnyObject>(as type: Other.Type = Other.self) -> UnretainedReference<Other> {
        UnretainedReference<Other>(reference.toOpaque())
    }

    @inlinable static func == (first: Self, second: Self) -> Bool {
        first.reference.toOpaque() == second.reference.toOpaque()
    }

    /// The address of the object, retained. The owner of the address releases the object.
    var retainedAddress: UnsafeRawPointer {
        retain()
        return UnsafeRawPointer(reference.toOpaque())
    }

    /// Retains the object until ``release()``.
    func retain() { _ = reference.retain() }

    func release() { reference.release() }

    /// Whether exactly one strong reference to the object exists.
    var isUnique: Bool {
        var reference = reference
        // Sound: an unmanaged reference has the representation of a strong one, and the check only reads it.
        return withUnsafeMutablePointer(to: &reference) {
            $0.withMemoryRebound(to: Object.self, capacity: 1) { isKnownUniquelyReferenced(&$0.pointee) }
        }
    }
}
