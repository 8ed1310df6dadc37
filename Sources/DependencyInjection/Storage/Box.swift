/// Holds an instance of a type that only the holder knows, so that the paths of building and keeping are not generic.
///
/// Unchecked: a holder never changes (a weak reference only becomes nil, which the run time synchronises), and only what is
/// kept, and therefore `Sendable`, reaches several threads in one.
@usableFromInline
class Holder: @unchecked Sendable {
    @usableFromInline init() {}

    /// A box with the instance, unless it is gone.
    var box: Holder? { preconditionFailure("Overridden by every subclass.") }
    /// What knows the instance without keeping it; nil for a value, which nobody can keep.
    var weakened: Holder? { self }
    /// The instance without its static type.
    var instance: Any { preconditionFailure("Only boxes have one at all times.") }

    /// The instance of a box that was made for a registration of `T`.
    @usableFromInline
    func value<T>(as type: T.Type) -> T {
        // Sound: what is found by the key of `T` was boxed by a registration of `T`.
        unsafeDowncast(self, to: Box<T>.self).value
    }
}

/// Keeps an instance under its static type, so that reading it needs no cast.
@usableFromInline
final class Box<T>: Holder, @unchecked Sendable {  // As `Holder`.
    @usableFromInline let value: T
    /// Keeps the next object on the heap, whose reference count other threads may be changing, out of the cache line in which
    /// readers look for the value.
    private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)

    init(_ value: T) {
        self.value = value
    }

    override var box: Holder? { self }
    override var weakened: Holder? { WeakBox(value) }
    override var instance: Any { value }

    /// Copies the value out of a box known by its address; the caller sees to it that the box lives and holds a `T`.
    @inlinable @inline(__always)
    static func read(_ address: UnsafeRawPointer) -> T {
        Unmanaged<Box<T>>.fromOpaque(address)._withUnsafeGuaranteedRef { $0.value }
    }
}

/// Knows an instance as long as somebody else keeps it.
private final class WeakBox<T>: Holder, @unchecked Sendable {  // As `Holder`.
    private weak var object: AnyObject?

    /// Makes a box for an instance of a class or an actor; nil for a value.
    init?(_ value: T) {
        guard Swift.type(of: value as Any) is AnyClass else { return nil }
        object = value as AnyObject
    }

    override var box: Holder? { object.map { Box($0 as! T) } }
}
