/// The place of one registration in one container, with the instance once there is one.
///
/// An instance is published at most once. To forget it, the container puts a fresh entry in the place of the old one, so
/// a reader never sees an instance change.
///
/// Unchecked because `dependents` is mutable, and used on the owner's queue only, and `confined`, on the main actor only.
@usableFromInline
final class Entry: @unchecked Sendable {
    @usableFromInline let registration: Registration
    /// The signature of a factory that may be called at once, on any thread, without being kept: see ``Lifetime/new``.
    @usableFromInline let directSignature: ObjectIdentifier?
    /// The place in the order of registration.
    let order: Int
    /// The keys of aliases that hold a copy of this instance.
    var dependents: [Key] = []

    /// A ``Box`` of the instance.
    @usableFromInline let instance = OnceReference()
    /// The instance of a main-actor registration. It is apart so that the common read need not ask where it runs.
    private var confined: AnyObject?

    init(_ registration: Registration, order: Int) {
        self.registration = registration
        self.order = order
        directSignature =
            registration.lifetime == .new && !registration.isMainActor ? registration.signature : nil
    }

    /// A copy without the instance.
    func renewed() -> Entry { Entry(registration, order: order) }

    var isBuilt: Bool { instance.address != nil || confined != nil }

    func publish<T>(_ value: T) {
        if registration.isMainActor {
            confined = Box(value)
        } else {
            instance.set(Box(value))
        }
    }

    /// The instance of a registration of `T`. For a main-actor registration, only on the main actor.
    func published<T>(as type: T.Type) -> T? {
        if registration.isMainActor {
            // Sound: an entry of `T` is only ever given a box of `T`.
            return confined.map { unsafeDowncast($0, to: Box<T>.self).value }
        }
        return instance.address.map(Box<T>.read)
    }
}

/// Holds an instance under its static type, so that reading it needs no cast.
@usableFromInline
final class Box<T> {
    @usableFromInline let value: T

    init(_ value: T) {
        self.value = value
    }

    /// Copies the value out of a box known by its address; the caller sees to it that the box lives and holds a `T`.
    @inlinable @inline(__always)
    static func read(_ address: UnsafeRawPointer) -> T {
        Unmanaged<Box<T>>.fromOpaque(address)._withUnsafeGuaranteedRef { $0.value }
    }
}
