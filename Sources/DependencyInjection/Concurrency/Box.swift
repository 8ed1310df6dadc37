/// Holds an instance of any type, so that the code that builds and keeps instances is not generic.
@usableFromInline protocol AnyBox: AnyObject, Sendable {
    /// The instance without its static type.
    var instance: Any { get }
    /// The instance as an object; nil for a value.
    var object: AnyObject? { get }
    /// A weak reference to the instance; nil for a value.
    var weakened: WeakBox? { get }
}

extension AnyBox {
    /// The instance as a `T`, which must be the type that the box was made for.
    @usableFromInline func value<T>(as type: T.Type) -> T {
        UnretainedReference(self).unsafelyCast(as: Box<T>.self).with { $0.value }
    }
}

extension UnretainedReference where Object == AnyObject {
    init(_ box: any AnyBox) { self.init(box as AnyObject) }
}

/// Keeps an instance under its static type, so that reading it needs no cast.
///
/// Unchecked: a box never changes, and only kept instances reach several threads. These are `Sendable`.
@usableFromInline final class Box<T>: AnyBox, @unchecked Sendable {
    @usableFromInline let value: T

    @usableFromInline required init(_ value: T) { self.value = value }

    /// Copies the value out of a box that is known to hold a `T`.
    // Always inlined: in generic code, a call would ask the run time for the type of the box.
    @inlinable @inline(__always) static func read(_ box: UnretainedReference<AnyObject>) -> T {
        box.unsafelyCast(as: Box<T>.self).with { $0.value }
    }

    @usableFromInline var instance: Any { value }

    @usableFromInline var object: AnyObject? { type(of: value as Any) is AnyClass ? value as AnyObject : nil }

    @usableFromInline var weakened: WeakBox? {
        object.map { WeakBox($0) { [box = Self.self] in box.init($0 as! T) } }
    }
}

/// A weak reference to an instance of a class or an actor, which can be boxed again.
///
/// Unchecked: only the weak reference changes, and the run time synchronises that.
@usableFromInline final class WeakBox: @unchecked Sendable {
    private weak var object: AnyObject?
    private let boxed: @Sendable (AnyObject) -> any AnyBox

    init(_ object: AnyObject, boxed: @escaping @Sendable (AnyObject) -> any AnyBox) {
        self.object = object
        self.boxed = boxed
    }

    /// A box with the instance, unless it is gone.
    var box: (any AnyBox)? { object.map(boxed) }
}
