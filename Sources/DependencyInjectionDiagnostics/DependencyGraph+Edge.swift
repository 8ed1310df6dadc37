import DependencyInjection

extension DependencyGraph {
    /// A dependency of one registration on another.
    public struct Edge: Sendable {
        /// The source of a dependency. A `switch` over kinds needs a `default`, because later versions may add cases.
        public enum Kind: Sendable {
            /// A parameter of an autowired initializer has the type.
            case autowiring
            /// An alias forwards to the registration.
            case alias
            /// The factory requested the type while an observer was active.
            case observed
        }

        /// The source of the dependency.
        public let kind: Kind
        /// The index of the dependent registration in ``DependencyGraph/nodes``.
        public let from: Int
        /// The index of the registration that resolves the dependency, or of the
        /// ``/DependencyInjection/ProvidedByChild`` declaration for it. `nil` if the type isn't registered.
        public let to: Int?
        /// The type and the name of the dependency.
        let dependency: DependencyID
        /// The types of the arguments that a provider supplies. `nil` if the instance is needed immediately.
        var supplied: [any Any.Type]?
        /// Whether the dependency may be unregistered, as for an Optional.
        var isOptional = false

        /// The type and the name of the dependency as a text.
        public var key: String { dependency.description }
        /// Whether a provider resolves the dependency after the initializer has returned, so that it closes no cycle.
        public var isDeferred: Bool { supplied != nil }
    }
}
