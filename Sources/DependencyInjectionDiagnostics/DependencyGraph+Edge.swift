import DependencyInjection

extension DependencyGraph {
    /// An edge: what one registration needs of another.
    public struct Edge: Sendable {
        /// How a need is known. More kinds may come: a `switch` over them has a `default`.
        public enum Kind: Sendable {
            /// The initializer has a parameter of the type.
            case autowiring
            /// An alias forwards to it.
            case alias
            /// The factory asked for it while an observer looked on.
            case observed
        }

        /// How the need is known.
        public let kind: Kind
        /// The node that needs something, as an index of ``DependencyGraph/nodes``.
        public let from: Int
        /// The node that answers, or that declares with ``/DependencyInjection/Expected`` that children register it; nil if nothing
        /// is registered.
        public let to: Int?
        /// What is needed.
        let label: Label
        /// The arguments that a provider supplies; nil if the instance is needed at once.
        var supplied: [any Any.Type]?
        /// Whether nothing is needed where nothing is registered.
        var isOptional = false

        /// The type and the name that are needed.
        public var key: String { label.description }
        /// Whether a provider asks for it after the initializer, so that it closes no cycle.
        public var isDeferred: Bool { supplied != nil }
    }
}
