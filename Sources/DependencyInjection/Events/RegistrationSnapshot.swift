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
        isBuilt = (match.entry.aliasTarget == nil ? match.instance : steps.last?.instance)?.box != nil
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
    package var isAlias: Bool { entry.aliasTarget != nil }
    /// Whether it is an alias without decorators.
    package var isPlainAlias: Bool { isAlias && !entry.isDecorated }
    package var isContribution: Bool { registration.isContribution }
    /// Whether it only declares that children register the type.
    package var isProvidedByChild: Bool { registration.isProvidedByChild }

    // MARK: Dependencies

    /// The declared dependencies of the registration.
    package var dependencies: [DependencyID] {
        if let target = entry.aliasTarget?.object { return [target.id] }
        return registration.dependencies.map { DependencyID($0, nil) }
    }

    /// Returns the registration that resolves a dependency, or `nil` if the dependency isn't registered.
    ///
    /// - Parameter key: The key of a contribution, or `nil` for the type and the name of the dependency.
    package func match(for dependency: DependencyID, _ key: Key? = nil) -> RegistrationSnapshot? {
        // Only an alias resolves a registered Optional.
        builder.match(for: entry.aliasTarget?.object.key ?? key ?? dependency.key).map {
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

// Lists of the entries that requests can find. They are built in loops, because a container may have many parents.

extension ContainerCore {
    /// Returns the entries that requests can find: this container's, then its parents', each in order of registration.
    /// Some entries only have decorators.
    func visibleEntries(where isIncluded: (Entry) -> Bool = { _ in true }) -> [Entry] {
        Self.merged(
            selfAndParents.map { core in
                ThreadRecord.reading { core.table.entries(where: isIncluded) }
            })
    }

    /// Returns the entries that requests can find. The result contains a block of registrations either completely or
    /// not at all.
    func consistentEntries() -> [Entry] {
        Self.merged(
            selfAndParents.map { core in
                core.changes.withLock { _ in ThreadRecord.reading { core.table.entries() } }
            })
    }

    /// Merges the entries of a container with the entries of its parents.
    private static func merged(_ levels: [[Entry]]) -> [Entry] {
        let visible = SlotTable<Entry, Instance>()
        var retired = DeferredRelease()
        var entries: [Entry] = []
        // The entries of nearer containers that only decorate. In a fork, they belong to the same container as the
        // contributions.
        var decorating: [Entry] = []
        for level in levels {
            for var entry in level.sorted(by: { $0.order < $1.order }) {
                let key = entry.key
                if let nearer = visible.find(key.word, where: key.isKey)?.entry?.object {
                    if !nearer.isDecoratorOnly { continue }
                    // In a fork, the decorators belong to the same container as the registration.
                    entry = entry.decorated(by: nearer.decorators)
                }
                for nearer in decorating where entry.registration.isRegistered(as: nearer.key) {
                    entry = entry.decorated(by: nearer.decorators)
                }
                visible.put(entry: entry, at: key.word, where: key.isKey, retiring: &retired)
                entries.append(entry)
            }
            decorating += level.filter(\.isDecoratorOnly)
        }
        return entries.filter {
            visible.find($0.key.word, where: $0.key.isKey)?.entry?.object === $0
        }
    }
}

extension DIContainer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The numbers of registrations and of cached instances, on one line.
    public var description: String { summary(of: snapshots) }

    /// The description, followed by one line for each registration.
    public var debugDescription: String {
        let snapshots = snapshots
        return ([summary(of: snapshots)] + lines(of: snapshots)).joined(separator: "\n  ")
    }

    /// The registrations without the instances, for `dump` and for debuggers.
    public var customMirror: Mirror { Mirror(reflecting: lines(of: snapshots)) }

    private func lines(of snapshots: [RegistrationSnapshot]) -> [String] {
        let typeNames = TypeNameFormatter(disambiguating: snapshots.flatMap { $0.registration.typesInTitle })
        return snapshots.map { $0.line(typeNames) }
    }

    private func summary(of snapshots: [RegistrationSnapshot]) -> String {
        var (own, inherited, built, declared) = (0, 0, 0, 0)
        // An alias belongs to a registration that is counted. Decorators without a registration and declarations don't
        // count as registered.
        for snapshot in snapshots where !snapshot.isPlainAlias && !snapshot.base.isDecorator {
            if snapshot.isProvidedByChild {
                declared += 1
                continue
            }
            if snapshot.isInherited { inherited += 1 } else { own += 1 }
            if snapshot.isBuilt { built += 1 }
        }
        let summary = "DIContainer: \(own) registered, \(inherited) inherited, \(built) built"
        return declared == 0 ? summary : "\(summary), \(declared) provided by a child"
    }
}
