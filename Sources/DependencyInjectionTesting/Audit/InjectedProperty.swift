import DependencyInjection

/// A stored property with one of the library's wrappers, as found in the program's metadata.
public struct InjectedProperty: Sendable, CustomStringConvertible {
    /// The result of the audit for an injected property.
    public struct Status: Hashable, Sendable, CustomStringConvertible {
        /// The status in words.
        public let description: String

        /// A request for the type can be resolved, or ``DependencyInjection/ProvidedByChild`` declares that it can be
        /// resolved in a child. This is always the case for an Optional and for ``DependencyInjection/All``.
        public static let registered = Status(description: "registered")
        /// All registrations of the type have names. Metadata doesn't show whether the property has a name.
        public static let byNameOnly = Status(description: "registered by name only")
        /// The type isn't registered.
        public static let missing = Status(description: "not registered")
        /// The factory takes other arguments than the property supplies.
        public static let argumentMismatch = Status(description: "argument mismatch")
        /// The type of the property isn't known, because its owner is generic or because the run time doesn't find the
        /// type.
        public static let unknown = Status(description: "unknown")
    }

    /// The module of the type that has the property.
    public let module: String
    /// The type that has the property, preceded by its enclosing types, as in `Outer.Screen`. Types inside a function
    /// are named without the function.
    public let owner: String
    /// The name of the property as written in code, with the backticks of a raw identifier.
    public let name: String
    /// The name of the wrapper: `Inject`, `LazyInject`, `MutableInject` or `MutableLazyInject`.
    public let wrapper: String
    /// The type that the property requests. `nil` if the type isn't known.
    public let dependency: (any Any.Type)?
    /// The type and the arguments that must be registered. `nil` if the type isn't known.
    let required: ImpliedDependency?
    /// The result of the audit for this property.
    public let status: Status
    /// The types of the arguments that the factory takes.
    let expected: [any Any.Type]

    /// The module, the owner and the property, such as `App.Screen.router`.
    public var path: String { "\(module).\(owner).\(name)" }

    /// The property on one line, such as `App.Screen.router: @Inject any Router (not registered)`.
    public var description: String { text(TypeNameFormatter()) }

    /// Returns the property on one line, for longer texts.
    func text(_ typeNames: TypeNameFormatter) -> String {
        "\(path): @\(wrapper) \(name(of: dependency, typeNames)) (\(status))"
    }

    /// Returns the texts about missing types and argument mismatches. Each missing type has one text that lists its
    /// properties.
    static func issues(of properties: [InjectedProperty]) -> [String] {
        var groups: [[InjectedProperty]] = []
        for property in properties {
            let known = groups.firstIndex { $0[0].isMissing(like: property) }
            if let known { groups[known].append(property) } else { groups.append([property]) }
        }
        return groups.map { $0[0].issue(of: $0) }
    }

    /// Whether one registration would resolve both properties.
    private func isMissing(like other: InjectedProperty) -> Bool {
        guard status == .missing, other.status == .missing, let required, let otherRequired = other.required else {
            return false
        }
        return required.type == otherRequired.type
            && (required.supplied ?? []).elementsEqual(otherRequired.supplied ?? [], by: ==)
    }

    /// Returns a text with the missing type, the properties that request it, and the fix.
    private func issue(of group: [InjectedProperty]) -> String {
        let supplied = required?.supplied ?? []
        let typeNames = TypeNameFormatter(disambiguating: (required.map { [$0.type] } ?? []) + supplied + expected)
        let type = name(of: required?.type, typeNames)
        let allowing = "allow it: `allowing: [\(group.map { "\"\($0.path)\"" }.joined(separator: ", "))]`"
        if status == .argumentMismatch {
            let provider = ([type] + expected.map(typeNames.name)).joined(separator: ", ")
            let fixes = ["change the type of the property to `Provider<\(provider)>`", allowing]
            return """
                The factory of \(type) takes \(typeNames.tuple(expected)), but `@\(wrapper) var \(name)` of \(module).\(owner) \
                supplies \(typeNames.tuple(supplied)).
                  fix: \(fixes.alternatives)
                """
        }
        let properties =
            group.count == 1
            ? "which `@\(wrapper) var \(name)` of \(module).\(owner) needs."
            : "which \(group.count) properties need:" + group.map { "\n    \($0.path)" }.joined()
        let arguments = supplied.isEmpty ? "" : " with a factory that takes \(typeNames.tuple(supplied))"
        let registering = "register \(type)\(arguments)"
        let fixes = [registering, allowing]
        return """
            Nothing is registered for \(type), \(properties)
              fix: \(fixes.alternatives)
            """
    }

    private func name(of type: (any Any.Type)?, _ typeNames: TypeNameFormatter) -> String {
        type.map(typeNames.name) ?? "of an unknown type"
    }
}
