/// Shows what a container finds for a key at one moment, for the description of the container and for Diagnostics.
///
/// It keeps registrations and no instance.
package struct RegistrationSnapshot: Sendable {
    private let entry: Entry
    /// The container that has the entry.
    private let owner: ContainerCore
    /// The container that would build the instance.
    private let builder: ContainerCore
    /// The container that was asked.
    private let viewer: ContainerCore
    /// What makes the instance, behind entries that only decorate a parent's.
    package let base: Registration
    /// What makes the instance, behind aliases, too; the last alias if that leads to nothing.
    package let maker: Registration
    /// Whether what makes the instance, or wraps it on the way, belongs to the main actor.
    package let isMainActor: Bool
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
        let layers = owner.layers(of: entry)
        let base = layers[layers.count - 1]
        self.base = base.entry.registration
        decorators = layers.reversed().reduce(into: []) { $0 += $1.entry.decorators.without($0) }
        var steps = layers.map(\.entry)
        // More of them are a circle.
        while let target = steps.last?.target?.object, steps.count < Way.longestForwarding,
            let (owner, next) = builder.registered(target.key)
        {
            steps += owner.object.layers(of: next).map(\.entry)
        }
        maker = steps[steps.count - 1].registration
        isMainActor = steps.contains(where: \.isMainActor)
        isInherited = base.owner.object !== viewer
        isBuilt = core.keptInstance(of: entry, owner)?.box != nil
    }

    /// Tells the entry of one container from every other, and the container that would build it.
    package var id: [ObjectIdentifier] { [entryID, builderID] }
    /// Tells the container that would build the instance.
    package var builderID: ObjectIdentifier { ObjectIdentifier(builder) }
    /// Tells the entry apart, whichever container would build it.
    package var entryID: ObjectIdentifier { ObjectIdentifier(entry) }
    package var key: Key { entry.key }
    /// The place in the order of registration.
    package var order: UInt { entry.order }
    /// What was registered for the key: a factory, an alias or, if only a parent has one of these, the first decorator.
    package var registration: Registration { entry.registration }
    /// The place of the registration that it replaced.
    package var replaced: String? { entry.replaced?.description }
    /// Whether the container that was asked would build it.
    package var isBuiltByViewer: Bool { builder === viewer }
    package var isAlias: Bool { entry.target != nil }
    /// Whether it does nothing but give another type to the instance that it leads to.
    package var isPlainAlias: Bool { isAlias && !entry.isDecorated }
    /// Whether it only declares that children register the type.
    package var isExpectation: Bool { registration.isExpectation }

    // MARK: Needs

    /// What the registration declares to need.
    package var needs: [Label] {
        if let target = entry.target?.object { return [target.label] }
        if registration.isDecorator { return [registration.label] }
        return registration.dependencies.map { Label($0, nil) }
    }

    /// What answers a need of this registration; nil if nothing is registered for it.
    package func answer(to need: Label) -> RegistrationSnapshot? {
        // A decorator wraps what the parent has.
        let start = registration.isDecorator ? owner.parent : builder
        // An Optional that is registered answers an alias or a decorator, and nobody else.
        let key = registration.isDecorator ? key : entry.target?.object.key ?? need.key
        return start?.registered(key).map(snapshot)
    }

    /// What declares that children register what a need asks for, in the container that builds this or in its nearest parent.
    ///
    /// It counts only if nothing answers the need. See ``isInherited`` for whether it was declared by the container that was asked.
    package func expectation(for need: Label) -> RegistrationSnapshot? {
        builder.registered(Key(expectationOf: need.type, need.name)).map(snapshot)
    }

    /// Shows what answers a need.
    private func snapshot(of found: ContainerCore.Registered) -> RegistrationSnapshot {
        RegistrationSnapshot(found.entry, of: found.owner.object, for: builder, in: viewer)
    }

    /// All keys for which a request of this registration can find something, in order.
    package var visibleKeys: [Key] { builder.visibleEntries().map(\.key) }

    // MARK: Text

    /// How it was registered and for what, as code writes it.
    package func title(_ namesakes: Namesakes) -> String {
        let form = isAlias ? "Alias" : registration.lifetime?.title ?? (isExpectation ? "Expected" : "Decorate")
        let arguments = registration.argumentTypes
        return
            "\(form) \(namesakes.text(registration.label))\(arguments.isEmpty ? "" : " \(namesakes.tuple(arguments))")"
    }

    /// The registration on one line, with further types that the instance answers for.
    package func line(_ namesakes: Namesakes, aliases: [any Any.Type] = []) -> String {
        var text = title(namesakes)
        if !aliases.isEmpty { text += " as \(namesakes.list(aliases))" }
        if !decorators.isEmpty, base.lifetime != nil { text += ", decorated" }
        if let module = base.module { text += ", in \(module)" }
        if isInherited { text += ", inherited" }
        if isBuilt { text += ", built" }
        return "\(text)  (\(base.verb) at \(base.site))"
    }
}

extension DIContainer {
    /// What requests to this container can find, in order, with decorators that decorate nothing and what is expected of children.
    package var snapshots: [RegistrationSnapshot] {
        core.visibleEntries().compactMap { entry in
            let subject = entry.registration
            // What is registered is no longer expected.
            if subject.isExpectation, core.registered(Key(ObjectIdentifier(subject.type), subject.name)) != nil {
                return nil
            }
            if let (owner, found) = core.registered(entry.key) {
                return RegistrationSnapshot(found, of: owner.object, for: core, in: core)
            }
            let isOwn = ThreadRecord.reading { core.found(entry) != nil }
            return RegistrationSnapshot(entry, of: isOwn ? core : core.parent ?? core, for: core, in: core)
        }
    }
}
