package import DependencyInjection

/// A snapshot of the registration that a container finds for a key, for descriptions and for Diagnostics.
///
/// The snapshot retains registrations but no instance.
package struct RegistrationSnapshot: Sendable {
    private let entry: Entry
    /// The container that owns the entry.
    private let owner: ContainerCore
    /// The container that would build the instance.
    private let builder: ContainerCore
    /// The container whose registrations are listed.
    private let viewer: ContainerCore
    /// The registration whose factory builds the instance, behind all aliases, or the last alias if it has no target.
    package let maker: Registration
    /// Whether the factory or a decorator of the instance is isolated to the main actor.
    package let isMainActor: Bool
    /// Whether this container or the parent that owns the registration had a cached instance.
    package let isBuilt: Bool
    /// A decorator in a container below the owner, because of which requests fail.
    package let misplacedDecorator: Registration?

    fileprivate init(_ match: Match, of requester: ContainerCore, in viewer: ContainerCore) {
        entry = match.entry
        owner = match.owner
        builder = requester.builder(of: match)
        self.viewer = viewer
        misplacedDecorator = match.misplacedDecorator
        let steps = builder.chain(of: match.entry.key)
        maker = steps.last?.entry.registration ?? match.entry.registration
        isMainActor = match.entry.isMainActor || steps.contains { $0.entry.isMainActor }
        isBuilt = (match.entry.registration.isAlias ? steps.last?.instance : match.instance)?.box != nil
    }

    /// The registration of the key: a factory, an alias, a declaration or, if nothing else is registered, a decorator.
    package var base: Registration { registration }
    /// The decorators of the instance, innermost first.
    package var decorators: [Registration] { entry.decorators }
    /// Whether a parent owns the registration.
    package var isInherited: Bool { owner !== viewer }

    /// Identifies the entry and the container that would build it.
    package var id: [ObjectIdentifier] { [entryID, builderID] }
    /// Identifies the container that would build the instance.
    package var builderID: ObjectIdentifier { ObjectIdentifier(builder) }
    /// Identifies the entry, independently of the container that would build it.
    package var entryID: ObjectIdentifier { ObjectIdentifier(entry) }
    package var key: Key { entry.key }
    /// The position in the order of registration.
    package var order: UInt { entry.order }
    package var registration: Registration { entry.registration }
    /// The source location of the registration that this one replaced.
    package var replaced: String? { entry.replaced?.description }
    /// Whether the listed container would build the instance.
    package var isBuiltByViewer: Bool { builder === viewer }
    package var isAlias: Bool { registration.isAlias }
    /// Whether it is an alias without decorators.
    package var isPlainAlias: Bool { isAlias && !entry.isDecorated }
    package var isContribution: Bool { registration.isContribution }
    /// Whether it only declares that children register the type.
    package var isProvidedByChild: Bool { registration.isProvidedByChild }

    // MARK: Dependencies

    /// The declared dependencies of the registration.
    package var dependencies: [DependencyID] {
        if let target = registration.aliasTarget { return [target.id] }
        return registration.dependencies.map { DependencyID($0, nil) }
    }

    /// Returns the registration that resolves a dependency, or `nil` if the dependency isn't registered.
    ///
    /// - Parameter key: The key of a contribution, or `nil` for the type and the name of the dependency.
    package func match(for dependency: DependencyID, _ key: Key? = nil) -> RegistrationSnapshot? {
        // Only an alias resolves a registered Optional.
        builder.match(for: registration.aliasTarget?.key ?? key ?? dependency.key).map {
            RegistrationSnapshot($0, of: builder, in: viewer)
        }
    }

    /// Returns the declaration that children register a dependency, from the container that builds this registration or
    /// from its nearest parent.
    ///
    /// The declaration only matters if the dependency isn't registered. ``isInherited`` is false if the listed
    /// container itself made the declaration.
    package func declaration(for dependency: DependencyID) -> RegistrationSnapshot? {
        builder.match(for: Key(declarationOf: dependency.type, dependency.name)).map {
            RegistrationSnapshot($0, of: builder, in: viewer)
        }
    }

    /// The keys of the members of a collection that this registration can request, in order. A member whose key has
    /// another type is a contribution.
    package func collection(of type: any Any.Type) -> [Key] { builder.collectedEntries(of: type).map(\.key) }

    /// Whether the collection of a type has contributions, for the container that builds the registration.
    package func hasContributions(to type: any Any.Type) -> Bool { builder.hasContributions(to: type) }

    // MARK: Text

    /// Returns the lifetime, the type and the arguments as text.
    package func title(_ typeNames: TypeNameFormatter) -> String {
        let form =
            isAlias
            ? isContribution ? "Contribution" : "Alias"
            : registration.lifetime?.title ?? (isProvidedByChild ? "ProvidedByChild" : "Decorate")
        let arguments = registration.argumentTypes
        return
            "\(form) \(typeNames.text(registration.id))\(arguments.isEmpty ? "" : " \(typeNames.tuple(arguments))")"
    }

    /// Returns the registration on one line.
    ///
    /// - Parameter relations: The aliases and the collections of the registration, as text.
    package func line(_ typeNames: TypeNameFormatter, relations: String = "") -> String {
        var text = title(typeNames) + relations
        if !decorators.isEmpty, base.lifetime != nil { text += ", decorated" }
        if let module = base.module { text += ", in \(module)" }
        if isInherited { text += ", inherited" }
        if isBuilt { text += ", built" }
        return "\(text)  (\(base.verb) at \(base.site))"
    }
}

extension DIContainer {
    /// The registrations that requests to this container can find, in order. The list includes decorators without a
    /// registration and declarations that children register a type.
    package var snapshots: [RegistrationSnapshot] {
        core.visibleEntries().compactMap { entry in
            let registration = entry.registration
            // A registered type doesn't have to be provided by children.
            if registration.isProvidedByChild,
                core.isRegistered(Key(ObjectIdentifier(registration.type), registration.name))
            {
                return nil
            }
            if let match = core.match(for: entry.key) { return RegistrationSnapshot(match, of: core, in: core) }
            let owner = core.owns(entry) ? core : core.parent ?? core
            let match = Match(entry: entry, owner: owner, instance: nil)
            return RegistrationSnapshot(match, of: core, in: core)
        }
    }
}
