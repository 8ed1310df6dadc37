internal import Synchronization

extension _LifetimeRegistration {
    /// Contributes the registration to the collection of a type, without registering that type itself.
    ///
    /// ```swift
    /// DIContainer.register {
    ///     Shared(autowiring: SpellingPlugin.init).into(Plugin.self)
    ///     Shared(GrammarPlugin() as Plugin).into(Plugin.self)
    /// }
    /// let plugins: [Plugin] = DIContainer.resolve()       // also as a parameter of an autowired initializer
    /// ```
    /// ``Resolver/all(_:name:file:line:)``, ``All`` and a dependency of type `[any Plugin]` contain the instances of all
    /// contributions in the order of registration, a child's before its parent's. So several modules can contribute to
    /// one collection without replacing each other's registrations.
    ///
    /// - A contribution of another type, here `SpellingPlugin`, is also registered as that type. A later registration of
    ///   `SpellingPlugin`, for example in a test, replaces it in the collection.
    /// - A contribution whose own type is the collected one, here `Plugin`, is found in the collection only.
    /// - The same registration contributes once, even if its module is registered several times.
    /// - ``Decorate`` of the collected type wraps the contributions with the same name in the same container.
    ///
    /// An instance that isn't of the collected type is an error when the collection is resolved.
    ///
    /// - Parameter type: The collected type.
    public func into<Collected>(_ type: Collected.Type) -> Self {
        let pair = ObjectIdentifier(ContributedType<Instance, Collected>.self)
        return Self._of(registrations.contributing(to: Collected.self, Contribution(pair: pair)))
    }
}

extension [Registration] {
    /// Returns the registration of a type and its aliases, with a contribution to the collection of a type.
    fileprivate func contributing(to type: any Any.Type, _ contribution: Contribution) -> [Registration] {
        self[0].type == type
            ? replacingFirst(by: self[0].contributed(by: contribution))
            : self + [self[0].alias(type, contribution: contribution)]
    }

    /// Replaces the registration of the type itself. Its aliases and contributions forward to the new one.
    func replacingFirst(by registration: Registration) -> [Registration] {
        [registration] + dropFirst().map { registration.alias($0.type, contribution: $0.contribution) }
    }
}

/// The membership of a registration in the collection of its type. Copies of the registration share this object.
package final class Contribution: Sendable {
    /// The identity of the contributed type together with the collected one.
    private let pair: ObjectIdentifier

    init(pair: ObjectIdentifier) { self.pair = pair }

    /// Returns the key of the contribution, which no request names.
    ///
    /// A registered type has one contribution to a collection, which a later registration or a child replaces. A
    /// registration that is found in collections only has no such type, so this object is its identity.
    func key(_ kind: Registration.Kind, _ name: RegistrationName?) -> Key {
        if case .alias(let target) = kind, !target.isContribution { return Key(pair, name) }
        return Key(ObjectIdentifier(self), name)
    }
}

/// The type whose identity stands for a contributed type and a collected one.
private enum ContributedType<Instance, Collected> {}

extension Registration {
    /// The key whose decorators also wrap this contribution. `nil` for other registrations.
    var collectionKey: Key? { isContribution ? Key(ObjectIdentifier(type), name) : nil }

    /// Returns whether the registration is a contribution to the collection of a type.
    func isContribution(to type: any Any.Type) -> Bool { isContribution && self.type == type }

    /// Whether the registration has this key, or is a contribution of this type and name.
    func isRegistered(as other: Key) -> Bool {
        key == other || isContribution && ObjectIdentifier(type) == other.type && name == other.name
    }
}

extension ContainerCore {
    // MARK: The collection of a type

    /// The registrations of a type and the contributions to it, a child's before its parent's, each in the order of
    /// registration. A contribution is omitted if an alias of the type has the same target.
    package func collectedEntries(of type: any Any.Type) -> [Entry] {
        let entries = visibleEntries {
            $0.key.type == ObjectIdentifier(type) || $0.registration.isContribution(to: type)
        }
        let aliases = entries.filter { !$0.registration.isContribution && $0.aliasTarget != nil }
        if aliases.isEmpty { return entries }
        return entries.filter { entry in
            guard entry.registration.isContribution, let target = entry.aliasTarget?.object else { return true }
            return !aliases.contains { $0.aliasTarget?.object.key == target.key }
        }
    }

    /// Resolves the collection of a type.
    func collection<T>(of type: T.Type, _ request: Request) throws -> [T] {
        try boxes(of: type, request).map { $0.value(as: type) }
    }

    private func boxes(of type: any Any.Type, _ request: Request) throws -> [any AnyBox] {
        try request.refuseArguments()
        // All elements belong to one graph.
        let thread = try pushFrame(request)
        defer { thread.pop() }
        let name = request.key.name
        let entries = collectedEntries(of: type).filter { name == nil || $0.key.name == name }
        if entries.isEmpty { try checkSelfAndParentsOpen(request) }
        return try entries.compactMap {
            // Nil if another thread has unregistered the type.
            try resolve(request.forwarded(to: type, $0.key))?.box
        }
    }

    /// Whether this container or a parent has a contribution to the collection of a type.
    package func hasContributions(to type: any Any.Type) -> Bool {
        selfAndParents.contains { core in
            core.mayHaveContributions.load(ordering: .relaxed)
                && ThreadRecord.reading { !core.table.entries { $0.registration.isContribution(to: type) }.isEmpty }
        }
    }

    // MARK: Changes. Call these functions on the queue.

    /// The container's own contributions.
    private var contributions: [Entry] {
        mayHaveContributions.load(ordering: .relaxed) ? table.entries { $0.registration.isContribution } : []
    }

    /// Wraps the container's own contributions to a type with a decorator of that type.
    func decorateContributions(by decorator: Registration, _ retired: inout DeferredRelease) {
        for entry in contributions where entry.registration.isRegistered(as: decorator.key) {
            let decorated = entry.decorated(by: [decorator])
            if decorated !== entry { setEntry(decorated, entry.key, &retired) }
        }
    }

    /// Removes the contributions of the registrations of a key, and the decorators of the contributions to that key.
    func unregisterContributions(_ key: Key, _ retired: inout DeferredRelease) {
        for entry in contributions {
            let origin = entry.aliasTarget?.object ?? entry.registration
            if origin.isRegistered(as: key) {
                setEntry(nil, entry.key, &retired)
            } else if entry.isDecorated, entry.registration.isRegistered(as: key) {
                setEntry(entry.undecorated(), entry.key, &retired)
            }
        }
    }

    // MARK: Misplaced decorators

    /// The decorators of a key in the containers below an owner that only decorate it. Call it during a read.
    func decorators(of key: Key, below owner: ContainerCore) -> [Registration] {
        var decorators: [Registration] = []
        for core in selfAndParents {
            if core === owner { break }
            if let entry = core.entry(key), entry.isDecoratorOnly { decorators += entry.decorators }
        }
        return decorators
    }
}
