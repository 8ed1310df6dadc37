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
        return Self._of(registrations.contributing(to: Collected.self, Key(pair, registrations[0].name, .contributed)))
    }
}

extension [Registration] {
    /// Returns the registration of a type and its aliases, with a contribution to the collection of a type.
    ///
    /// A registered type has one contribution to a collection, which a later registration or a child replaces. A
    /// registration that is found in collections only has no such type.
    ///
    /// - Parameter key: The key of the registered type's contribution.
    fileprivate func contributing(to type: any Any.Type, _ key: Key) -> [Registration] {
        let unique = Key(uniqueContributionNamed: self[0].name)
        if self[0].type == type { return replacingFirst(by: self[0].copy(key: unique)) }
        return self + [self[0].alias(type, key: self[0].isContribution ? unique : key)]
    }

    /// Replaces the registration of the type itself. Its aliases and contributions forward to the new one.
    func replacingFirst(by registration: Registration) -> [Registration] {
        map { other in
            if other === self[0] { return registration }
            let isDetached = registration.isContribution && other.key.has(.contributed)
            return registration.alias(
                other.type, key: isDetached ? Key(uniqueContributionNamed: other.name) : other.key)
        }
    }
}

/// The type whose identity stands for a contributed type and a collected one.
private enum ContributedType<Instance, Collected> {}
