import DependencyInjection

extension DependencyGraph {
    /// An edge: what one registration needs of another.
    public final class Edge: Sendable {
        /// How a need is known. More kinds may come: a `switch` over them has a `default`.
        public enum Kind: Sendable {
            /// The initializer has a parameter of the type.
            case autowiring
            /// An alias forwards to it.
            case alias
            /// A decorator wraps it.
            case decorator
            /// The factory asked for it while an observer looked on.
            case observed

            /// Whether the instance is that of the other registration, under another type or wrapped.
            var isForwarding: Bool { self == .alias || self == .decorator }
        }

        /// How the need is known.
        public let kind: Kind
        /// The node that needs something, as an index of ``DependencyGraph/nodes``.
        public let from: Int
        /// The node that answers; nil if nothing is registered.
        public let to: Int?
        let type: any Any.Type
        let name: RegistrationName?
        /// The arguments that a provider supplies; nil if the instance is needed at once.
        let supplied: [any Any.Type]?

        init(
            _ kind: Kind, from: Int, to: Int?, _ type: any Any.Type, _ name: RegistrationName?,
            supplied: [any Any.Type]? = nil
        ) {
            self.kind = kind
            self.from = from
            self.to = to
            self.type = type
            self.name = name
            self.supplied = supplied
        }

        /// What is needed. Types of two modules may have one name.
        var asked: Key { Key(ObjectIdentifier(type), name) }
        func isSame(as other: Edge) -> Bool { asked == other.asked }
        var label: Label { Label(type, name) }
        /// The type and the name that are needed.
        public var key: String { TypeNames.short.label(type, name) }
        /// Whether a provider asks for it after the initializer, so that it closes no cycle.
        public var isDeferred: Bool { supplied != nil }
    }
}
