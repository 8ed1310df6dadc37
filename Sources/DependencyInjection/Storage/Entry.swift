/// The place of one registration in one container, with the instance once there is one.
///
/// An instance is published at most once. To forget it, the container puts a fresh entry in the place of the old one, so
/// a reader never sees an instance change.
///
/// Unchecked because `dependents` is mutable, and used on the owner's queue only.
@usableFromInline
final class Entry: @unchecked Sendable {
    @usableFromInline let registration: Registration
    /// The signature of a factory that may be called at once, on any thread, without being kept: see ``Lifetime/new``.
    @usableFromInline let directSignature: ObjectIdentifier?
    /// The place in the order of registration.
    let order: Int
    /// What wraps each instance, the innermost first.
    let decorators: [Registration]
    /// The parent's entry for which this is the place in a child: see ``ContainerCore/local(for:)``.
    let origin: Entry?
    /// Where instances that were made of this one are kept.
    var dependents: [Dependent] = []

    /// A ``Box`` of an instance that may be read at once, on any thread.
    @usableFromInline let instance = OnceReference()
    /// A ``Holder`` of an instance that may not: of the main actor, or kept by somebody else. It is apart so that the
    /// common read need not ask.
    private let guarded = OnceReference()

    init(_ registration: Registration, order: Int, decorators: [Registration] = [], origin: Entry? = nil) {
        self.registration = registration
        self.order = order
        self.decorators = decorators
        self.origin = origin
        directSignature =
            registration.lifetime == .new && !registration.isMainActor && !registration.isAsync && decorators.isEmpty
            ? registration.signature : nil
    }

    /// A copy without the instance.
    func renewed() -> Entry { Entry(registration, order: order, decorators: decorators, origin: origin) }

    /// Whether it is built and resolved on the main actor only.
    var isMainActor: Bool { registration.isMainActor || decorators.contains { $0.isMainActor } }

    /// Whether an instance was published, even if it is gone by now.
    var isBuilt: Bool { instance.address != nil || guarded.address != nil }

    /// Publishes a box or, if somebody else keeps the instance, what knows it.
    func publish(_ holder: Holder, isGuarded: Bool) {
        if isGuarded { guarded.set(holder) } else { instance.set(holder) }
    }

    /// A box of the instance, unless it is gone. For a main-actor registration, only on the main actor.
    var published: Holder? {
        guard let address = instance.address ?? guarded.address else { return nil }
        return Unmanaged<Holder>.fromOpaque(address).takeUnretainedValue().box
    }
}

/// An entry whose instance was made of another entry's, and goes with it.
struct Dependent {
    weak var core: ContainerCore?
    let key: Key
    let isLocal: Bool
}
