import DependencyInjection

/// A type of which a registration is needed, with the types of the arguments that its factory gets.
struct InjectionNeed: Sendable {
    let type: any Any.Type
    let arguments: [any Any.Type]

    /// What answers a request for a type: the type itself and, if it needs no registration of its own, what it is made of. The
    /// last is what must be registered.
    static func all(of type: any Any.Type, arguments: [any Any.Type] = []) -> [InjectionNeed] {
        let rest = Derivation(of: type).map { all(of: $0.type, arguments: $0.supplied ?? arguments) } ?? []
        return [InjectionNeed(type: type, arguments: arguments)] + rest
    }

    /// Whether it is answered also where nothing is registered, by nil or by an empty collection.
    var isOptional: Bool { Derivation(of: type).map { $0.kind != .provider } ?? false }
}
