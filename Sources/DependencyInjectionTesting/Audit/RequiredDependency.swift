import DependencyInjection

/// A type that must be registered, with the types of the arguments that its factory receives.
struct RequiredDependency: Sendable {
    let type: any Any.Type
    let arguments: [any Any.Type]

    /// Returns the types whose registrations can resolve a request for a type: the type itself and, if it is
    /// implicitly resolvable, the types it is derived from. The last one must be registered.
    static func all(of type: any Any.Type, arguments: [any Any.Type] = []) -> [RequiredDependency] {
        let rest = Derivation(of: type).map { all(of: $0.type, arguments: $0.supplied ?? arguments) } ?? []
        return [RequiredDependency(type: type, arguments: arguments)] + rest
    }

    /// Whether a request is resolved with `nil` or an empty collection if nothing is registered.
    var isOptional: Bool { Derivation(of: type).map { $0.kind != .provider } ?? false }
}
