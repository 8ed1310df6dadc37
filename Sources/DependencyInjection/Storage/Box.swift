/// Holds an instance under its static type, so that reading it needs no cast.
@usableFromInline
class Holder<T> {
    @usableFromInline init() {}

    /// The instance, unless it is gone.
    var current: T? { nil }
}

/// Keeps an instance.
@usableFromInline
final class Box<T>: Holder<T> {
    @usableFromInline let value: T

    init(_ value: T) {
        self.value = value
    }

    override var current: T? { value }

    /// Copies the value out of a box known by its address; the caller sees to it that the box lives and holds a `T`.
    @inlinable @inline(__always)
    static func read(_ address: UnsafeRawPointer) -> T {
        Unmanaged<Box<T>>.fromOpaque(address)._withUnsafeGuaranteedRef { $0.value }
    }
}

/// Knows an instance as long as somebody else keeps it.
final class WeakBox<T>: Holder<T> {
    private weak var object: AnyObject?

    /// Makes a box for an instance of a class or an actor; nil for a value, which nobody can hold.
    init?(_ value: T) {
        guard Swift.type(of: value as Any) is AnyClass else { return nil }
        object = value as AnyObject
    }

    override var current: T? { object.map { $0 as! T } }
}
