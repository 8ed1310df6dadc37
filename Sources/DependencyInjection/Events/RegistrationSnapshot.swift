/// The registration that a container finds for a key at one moment, for descriptions and for Diagnostics.
///
/// It retains registrations and no instance.
package struct RegistrationSnapshot: Sendable {
    private let entry: Entry
    /// The container that owns the entry.
    private let owner: ContainerCore
    /// The container that would build the instance.
    private let builder: ContainerCore
    /// The container whose registrations are listed.
    private let viewer: ContainerCore
    /// The registration whose factory builds the instance, behind aliases; the last alias if that has no target.
    package let maker: Registration
    /// Whether the factory or a decorator on the way is isolated to the main actor.
    package let isMainActor: Bool
    /// Whether the container had an instance, its own or one of the parent that owns the registration.
    package let isBuilt: Bool
    /// A decorator that a container below the owner registers. Requests fail because of it.
    package let misplacedDecorator: Registration?

    fileprivate init(_ match: Match, in viewer: ContainerCore) {
        entry = match.entry
        owner = match.owner
        builder = match.builder
        self.viewer = viewer
        misplacedDecorator = match.misplacedDecorator
        let plan = ResolutionPlan(for: match.entry.key, in: match.builder)
        let steps = (plan.map { $0.aliases + ($0.source.map { [$0] } ?? []) } ?? [])
        maker = steps.last?.entry.registration ?? match.entry.registration
        isMainActor = match.entry.isMainActor || steps.contains { $0.entry.isMainActor }
        isBuilt = (match.entry.aliasTarget == nil ? match.instance : plan?.source?.instance)?.box != nil
    }

    /// The registration of the key: a factory, an alias, a declaration or, if nothing else is registered, a decorator.
    package var base: Registration { registration }
    /// The decorators of the instance, the innermost first.
    package var decorators: [Registration] { entry.decorators }
    /// Whether a parent owns the registration.
    package var isInherited: Bool { owner !== viewer }

    /// Identifies the entry and the container that would build it.
    package var id: [ObjectIdentifier] { [entryID, builderID] }
    /// Identifies the container that would build the instance.
    package var builderID: ObjectIdentifier { ObjectIdentifier(builder) }
    /// Identifies the entry, whichever container would build it.
    package var entryID: ObjectIdentifier { ObjectIdentifier(entry) }
    package var key: Key { entry.key }
    /// The place in the order of registration.
    package var order: UInt { entry.order }
    package var registration: Registration { entry.registration }
    /// The place of the registration that it replaced.
    package var replaced: String? { entry.replaced?.description }
    /// Whether the container that was asked would build it.
    package var isBuiltByViewer: Bool { builder === viewer }
    package var isAlias: Bool { entry.aliasTarget != nil }
    /// Whether it does nothing but give another type to the instance that it leads to.
    package var isPlainAlias: Bool { isAlias && !entry.isDecorated }
    /// Whether it only declares that children register the type.
    package var isExpectation: Bool { registration.isExpectation }

    // MARK: Needs

    /// The declared dependencies of the registration.
    package var needs: [Label] {
        if let target = entry.aliasTarget?.object { return [target.label] }
        return registration.dependencies.map { Label($0, nil) }
    }

    /// The registration that resolves a dependency; nil if nothing is registered for it.
    package func answer(to need: Label) -> RegistrationSnapshot? {
        // Only an alias resolves a registered Optional.
        builder.match(for: entry.aliasTarget?.object.key ?? need.key).map { RegistrationSnapshot($0, in: viewer) }
    }

    /// The declaration that children register a dependency, in the container that builds this registration or in its
    /// nearest parent.
    ///
    /// It matters only if nothing is registered for the dependency. ``isInherited`` is false if the listed container
    /// itself made the declaration.
    package func expectation(for need: Label) -> RegistrationSnapshot? {
        builder.match(for: Key(declarationOf: need.type, need.name)).map { RegistrationSnapshot($0, in: viewer) }
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
    /// The registrations that requests to this container can find, in order. Decorators without a registration and
    /// declarations that children register a type are included.
    package var snapshots: [RegistrationSnapshot] {
        core.visibleEntries().compactMap { entry in
            let registration = entry.registration
            // A registered type is no longer provided by children.
            if registration.isExpectation,
                core.isRegistered(Key(ObjectIdentifier(registration.type), registration.name))
            {
                return nil
            }
            if let match = core.match(for: entry.key) { return RegistrationSnapshot(match, in: core) }
            let owner = core.owns(entry) ? core : core.parent ?? core
            let match = Match(entry: entry, owner: owner, builder: core, instance: nil, misplacedDecorator: nil)
            return RegistrationSnapshot(match, in: core)
        }
    }
}
