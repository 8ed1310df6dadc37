/// Holds an instance of a type that only the holder knows, so that the paths of building and keeping are not generic.
@usableFromInline
protocol AnyBox: AnyObject, Sendable {
    /// The instance without its static type.
    var instance: Any { get }
    /// What knows the instance without keeping it; nil for a value, which nobody can keep.
    var weakened: WeakBox? { get }

    /// Makes a box for an instance of the type that this box type holds.
    init<Value>(holding value: Value)
}

extension AnyBox {
    /// The instance of a box that was made for a `T`.
    @usableFromInline
    func value<T>(as type: T.Type) -> T { Borrowed(self).trusted(as: Box<T>.self).with { $0.value } }
}

extension Borrowed where Object == AnyObject {
    init(_ box: any AnyBox) { self.init(box as AnyObject) }
}

/// Keeps an instance under its static type, so that reading it needs no cast.
///
/// Unchecked: a box never changes, and only what is kept, and therefore `Sendable`, reaches several threads in one.
@usableFromInline
final class Box<T>: AnyBox, @unchecked Sendable {
    @usableFromInline let value: T

    @usableFromInline
    init(_ value: T) { self.value = value }

    @usableFromInline
    convenience init<Value>(holding value: Value) { self.init(identityCast(value, to: T.self)) }

    /// Copies the value out of a box that is known to hold a `T`.
    @inlinable @inline(__always)
    static func read(_ box: Borrowed<AnyObject>) -> T { box.trusted(as: Box<T>.self).with { $0.value } }

    @usableFromInline var instance: Any { value }

    @usableFromInline
    var weakened: WeakBox? {
        guard type(of: value as Any) is AnyClass else { return nil }
        return WeakBox(value as AnyObject) { Box($0 as! T) }
    }
}

/// Knows an instance of a class or an actor as long as somebody else keeps it.
///
/// Unchecked: it never changes but for the reference, which the run time synchronises when it becomes nil.
@usableFromInline
final class WeakBox: @unchecked Sendable {
    private weak var object: AnyObject?
    private let boxed: @Sendable (AnyObject) -> any AnyBox

    init(_ object: AnyObject, boxed: @escaping @Sendable (AnyObject) -> any AnyBox) {
        self.object = object
        self.boxed = boxed
    }

    /// A box with the instance, unless it is gone.
    var box: (any AnyBox)? { object.map(boxed) }
}
