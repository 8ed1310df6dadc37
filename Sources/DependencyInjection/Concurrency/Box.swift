/// A box for an instance of any type, so that the code that builds and caches instances isn't generic.
@usableFromInline package protocol AnyBox: AnyObject, Sendable {
    /// The instance without its static type.
    var instance: Any { get }
    /// The instance as an object. `nil` for a value.
    var object: AnyObject? { get }
    /// A weak reference to the instance. `nil` for a value.
    var weakened: WeakBox? { get }
}

extension AnyBox {
    /// Returns the instance as a `T`, which must be the box's static type.
    @usableFromInline func value<T>(as type: T.Type) -> T {
        UnretainedReference(self).unsafelyCast(as: Box<T>.self).with { $0.value }
    }
}

extension UnretainedReference where Object == AnyObject {
    init(_ box: any AnyBox) { self.init(box as AnyObject) }
}

/// A box with the static type of its instance, so that reading the instance needs no cast.
///
/// Unchecked: a box is immutable, and only cached instances reach several threads. These are `Sendable`.
@usableFromInline final class Box<T>: AnyBox, @unchecked Sendable {
    @usableFromInline let value: T

    @usableFromInline required init(_ value: T) { self.value = value }

    /// Copies the value out of a box that is known to hold a `T`.
    // Always inlined: in generic code, a call would look up the metadata of the box's type.
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
/// Unchecked: only the weak reference changes, and the run time synchronizes it.
@usableFromInline package final class WeakBox: @unchecked Sendable {
    private weak var object: AnyObject?
    private let boxed: @Sendable (AnyObject) -> any AnyBox

    init(_ object: AnyObject, boxed: @escaping @Sendable (AnyObject) -> any AnyBox) {
        self.object = object
        self.boxed = boxed
    }

    /// A new box with the instance, or `nil` if the instance has been released.
    var box: (any AnyBox)? { object.map(boxed) }
}

/// A box in a cache, or a weak reference to its instance.
enum CachedBox: Sendable {
    case strong(any AnyBox)
    case weak(WeakBox)

    /// A value is always held strongly.
    init(_ box: any AnyBox, isHeldWeakly: Bool) {
        if isHeldWeakly, let weak = box.weakened { self = .weak(weak) } else { self = .strong(box) }
    }

    /// The box. `nil` if the instance was held weakly and has been released.
    var box: (any AnyBox)? {
        switch self {
        case .strong(let box): box
        case .weak(let weak): weak.box
        }
    }

    /// The box, if a reader may copy its value.
    var lockFreeBox: UnretainedReference<AnyObject>? {
        switch self {
        case .strong(let box): UnretainedReference(box)
        case .weak: nil
        }
    }
}
