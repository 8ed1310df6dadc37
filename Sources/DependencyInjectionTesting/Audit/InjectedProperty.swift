import DependencyInjection

/// A stored property with one of the library's wrappers, as the audit has found it in the program.
public struct InjectedProperty: Sendable, CustomStringConvertible {
    /// What a container has for an injected property.
    public struct Status: Hashable, Sendable, CustomStringConvertible {
        /// What it is, in words.
        public let description: String

        /// A request for the type can be answered, if only in a child, as ``DependencyInjection/Expected`` declares. It always
        /// can for an Optional and for ``DependencyInjection/All``.
        public static let registered = Status(description: "registered")
        /// The type is registered under names, and not without one. Metadata does not tell whether the property has a name.
        public static let byNameOnly = Status(description: "registered by name only")
        /// Nothing is registered.
        public static let missing = Status(description: "not registered")
        /// The factory takes other arguments than the property supplies.
        public static let misfit = Status(description: "other arguments")
        /// The type of the property is not known, because its owner is generic or because the run time does not find it.
        public static let unknown = Status(description: "not visible")
    }

    /// The module of the type that has the property.
    public let module: String
    /// The type that has the property, with the types around it, such as `Outer.Screen`. Types inside a function are
    /// named without the function.
    public let owner: String
    /// The name of the property as code writes it, with the backticks of a raw identifier.
    public let name: String
    /// The name of the wrapper: `Inject`, `LazyInject`, `MutableInject` or `MutableLazyInject`.
    public let wrapper: String
    /// The type that the property asks for; nil if it is not known.
    public let dependency: (any Any.Type)?
    /// What must be registered for it; nil if that is not known.
    let need: InjectionNeed?
    /// What the container has for it.
    public let status: Status
    /// The arguments that the factory takes.
    let expected: [any Any.Type]

    /// The module, the owner and the property, such as `App.Screen.router`.
    public var path: String { "\(module).\(owner).\(name)" }

    /// The property on one line, such as `App.Screen.router: @Inject any Router (not registered)`.
    public var description: String { text(Namesakes()) }

    /// The property on one line, as a part of longer texts.
    func text(_ namesakes: Namesakes) -> String {
        "\(path): @\(wrapper) \(name(of: dependency, namesakes)) (\(status))"
    }

    /// What is missing, who needs it, and what to write.
    var issue: String {
        let supplied = need?.arguments ?? []
        let namesakes = Namesakes((need.map { [$0.type] } ?? []) + supplied + expected)
        let type = name(of: need?.type, namesakes)
        if status == .misfit {
            return """
                The factory of \(type) takes \(namesakes.tuple(expected)), and `@\(wrapper) var \(name)` of \(module).\(owner) supplies \
                \(namesakes.tuple(supplied)).
                  fix: take a `Provider` with the arguments of that factory, or allow "\(path)" with `allowing:`.
                """
        }
        let made = need.map { Label($0.type, nil).made(with: $0.arguments) } ?? "… as \(type)"
        let registration = need?.arguments.isEmpty == false ? "New \(made)" : "Shared(\(made))"
        return """
            Nothing is registered for \(type), which `@\(wrapper) var \(name)` of \(module).\(owner) needs.
              fix: register it, as in `DIContainer.register { \(registration) }`, or allow "\(path)" with `allowing:`.
            """
    }

    private func name(of type: (any Any.Type)?, _ namesakes: Namesakes) -> String {
        type.map(namesakes.name) ?? "of an unknown type"
    }
}
