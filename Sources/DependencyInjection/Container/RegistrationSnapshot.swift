/// Shows what a container finds for a key at one moment, for the description of the container and for Diagnostics.
///
/// It keeps registrations and no instance.
package struct RegistrationSnapshot: Sendable {
    /// Tells the entry of one container from every other, and the container that would build it.
    package struct ID: Hashable {
        let entry: ObjectIdentifier
        package let builder: ObjectIdentifier
    }

    /// What a registration declares to need.
    package struct Need {
        package let type: any Any.Type
        package let key: Key

        package init(type: any Any.Type, key: Key) {
            self.type = type
            self.key = key
        }
    }

    private let entry: Entry
    /// The container that has the entry.
    private let owner: ContainerCore
    /// The container that would build the instance.
    private let builder: ContainerCore
    /// The container that was asked.
    private let viewer: ContainerCore
    /// What makes the instance, behind entries that only decorate a parent's.
    package let base: Registration
    /// What wraps the instance, the innermost first.
    package let decorators: [Registration]
    /// Whether the container had an instance, its own or one of the parent that owns the registration.
    package let isBuilt: Bool
    /// Whether a parent owns the registration.
    package let isInherited: Bool

    fileprivate init(_ entry: Entry, of owner: ContainerCore, for core: ContainerCore, in viewer: ContainerCore) {
        self.entry = entry
        self.owner = owner
        self.viewer = viewer
        builder = entry.mode == .owned ? owner : core
        var (base, baseOwner, decorators) = (entry, owner, entry.decorators)
        while base.registration == nil, let (nextOwner, next) = baseOwner.parent?.registered(base.key) {
            (base, baseOwner) = (next, nextOwner.object)
            decorators = next.decorators + decorators
        }
        self.base = base.subject
        self.decorators = decorators
        isInherited = baseOwner !== viewer
        isBuilt = builder.current(entry, of: owner)?.box != nil
    }

    package var id: ID { ID(entry: ObjectIdentifier(entry), builder: ObjectIdentifier(builder)) }
    /// Tells the entry apart, whichever container would build it.
    package var entryID: ObjectIdentifier { ObjectIdentifier(entry) }
    package var key: Key { entry.key }
    /// What was registered for the key: a factory, an alias or, if only a parent has one of these, the first decorator.
    package var registration: Registration { entry.subject }
    /// The places of the registrations that it replaced, each once; the last is that of its predecessor.
    package var replaced: [String] { entry.replaced.map(\.description) }
    package var isAlias: Bool { entry.target != nil }
    /// Whether it does nothing but give another type to the instance that it leads to.
    package var isPlainAlias: Bool { isAlias && !entry.isDecorated }

    // MARK: Needs

    /// What the registration declares to need.
    package var needs: [Need] {
        if let target = entry.target?.object { return [Need(type: target.type, key: target.key)] }
        if registration.isDecorator { return [Need(type: registration.type, key: key)] }
        return registration.dependencies.map { Need(type: $0, key: Key(ObjectIdentifier($0), nil)) }
    }

    /// What answers a need of this registration; nil if nothing is registered for it.
    package func answer(to need: Need) -> RegistrationSnapshot? {
        // A decorator wraps what the parent has.
        let start = registration.isDecorator ? owner.parent : builder
        return start?.registered(need.key).map { owner, entry in
            RegistrationSnapshot(entry, of: owner.object, for: builder, in: viewer)
        }
    }

    /// All keys for which a request of this registration can find something, in order.
    package var visibleKeys: [Key] { builder.visibleEntries().map(\.key) }

    // MARK: Text

    /// How it was registered and for what, as code writes it.
    package var title: Message {
        let form = isAlias ? "Alias" : registration.lifetime?.title ?? "Decorate"
        return "\(form) \(registration.label)"
    }

    /// The registration on one line, with further types that the instance answers for.
    package func line(withAliases aliases: [any Any.Type] = []) -> Message {
        var text = title
        if !aliases.isEmpty { text += " as \(Message(aliases))" }
        if !decorators.isEmpty, base.lifetime != nil { text += ", decorated" }
        if let module = base.module { text += ", in \(module)" }
        if isInherited { text += ", inherited" }
        if isBuilt { text += ", built" }
        text += "  (registered at \(base.site.description))"
        return text
    }
}

extension DIContainer {
    /// What requests to this container can find, in order, and decorators that decorate nothing.
    package var snapshots: [RegistrationSnapshot] {
        core.visibleEntries().map { entry in
            if let (owner, found) = core.registered(entry.key) {
                return RegistrationSnapshot(found, of: owner.object, for: core, in: core)
            }
            let isOwn = ThreadRecord.reading { core.isInstalled(entry) }
            return RegistrationSnapshot(entry, of: isOwn ? core : core.parent ?? core, for: core, in: core)
        }
    }
}
