import DependencyInjection

/// The dependency that a request for a type leads to, behind Optionals, providers and collections.
///
/// Validation and the audit derive it from registrations, as a request and the calls of its providers do.
package struct ImpliedDependency: Sendable {
    /// The type that must be registered or, if ``refusesArguments``, the type that the last provider resolves.
    package private(set) var type: any Any.Type
    /// The types of the arguments that a provider supplies, or `nil` if the type is resolved immediately.
    package private(set) var supplied: [any Any.Type]?
    /// Whether the request resolves to `nil` if the type isn't registered.
    package private(set) var isOptional = false
    /// Whether the request resolves all registrations of the type, with any name, and all contributions to it.
    package private(set) var isCollection = false
    /// Whether a provider supplies arguments for a provider or a collection, which takes none.
    package private(set) var refusesArguments = false

    /// Creates the dependency, or returns `nil` if the request resolves to `nil`.
    ///
    /// - Parameters:
    ///   - isRegistered: Whether a type is registered.
    ///   - hasContributions: Whether the collection of a type has contributions, so that an array resolves to it.
    package init?(
        of requested: any Any.Type, isRegistered: (any Any.Type) -> Bool, hasContributions: (any Any.Type) -> Bool
    ) {
        /// Whether an Optional of the type isn't `nil`, as a request decides.
        func isAvailable(_ type: any Any.Type) -> Bool {
            guard !isRegistered(type), let derivation = Derivation(of: type) else { return isRegistered(type) }
            switch derivation.kind {
            case .optional, .all: return true
            case .provider: return isAvailable(derivation.type)
            case .array: return hasContributions(derivation.type)
            }
        }
        // A request with arguments fails as a whole.
        var request = requested
        type = requested
        while !isCollection, !isRegistered(type), let derivation = Derivation(of: type) {
            switch derivation.kind {
            case .optional:
                guard isAvailable(derivation.type) else { return nil }
                isOptional = true
            case .array where !hasContributions(derivation.type): return
            case .provider, .all, .array:
                refusesArguments = supplied?.isEmpty == false
                if refusesArguments {
                    type = request
                    return
                }
                supplied = derivation.supplied ?? supplied
                isCollection = derivation.kind != .provider
                request = derivation.type
            }
            type = derivation.type
        }
    }
}
