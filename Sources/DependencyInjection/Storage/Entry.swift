/// The place of one registration in one container, with the instance once there is one.
///
/// An instance is published at most once. To forget it, the container puts a fresh entry in the place of the old one, so
/// a reader never sees an instance change.
@usableFromInline
final class Entry: Sendable {
    @usableFromInline let registration: Registration
    /// The signature of a factory that may be called at once, on any thread, without being kept: see ``Lifetime/new``.
    @usableFromInline let directSignature: Signature
    /// The place in the order of registration.
    let order: Int
    /// What wraps each instance, the innermost first.
    let decorators: [Registration]
    /// Whether this is a child's place for a parent's registration: see ``ContainerCore/local(for:of:)``.
    let isLocal: Bool

    /// A ``Box`` of an instance that may be read at once, on any thread.
    @usableFromInline let instance = OnceReference()
    /// A ``Holder`` of an instance that may not: of the main actor, or kept by somebody else. It is apart so that the
    /// common read need not ask.
    private let guarded = OnceReference()

    init(_ registration: Registration, order: Int, decorators: [Registration] = [], isLocal: Bool = false) {
        self.registration = registration
        self.order = order
        self.decorators = decorators
        self.isLocal = isLocal
        directSignature =
            registration.lifetime == .new && !registration.isMainActor && !registration.isAsync && decorators.isEmpty
            ? registration.signature : .none
    }

    /// A copy without the instance.
    func renewed() -> Entry { Entry(registration, order: order, decorators: decorators, isLocal: isLocal) }

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

/// A place that has to be cleared when what a key leads to changes.
struct Dependent {
    weak var core: ContainerCore?
    /// Where it is in that container: among the registrations or among the ``ContainerCore/locals``.
    let key: Key
    let isLocal: Bool
    /// Whether its instance was made of the key's instance, and has to go with it also where the registration stays.
    let isMadeOfInstance: Bool
}
