extension DependencyGraph {
    /// An edge: what one registration needs of another.
    public final class Edge: Sendable {
        /// How a need is known. More kinds may come.
        public typealias Kind = KindOf<Edge>

        /// How the need is known.
        public let kind: Kind
        /// The node that needs something, as an index of ``DependencyGraph/nodes``.
        public let from: Int
        /// The node that answers; nil if nothing is registered.
        public let to: Int?
        @usableFromInline let type: any Any.Type
        @usableFromInline let name: RegistrationName?
        /// The arguments that a provider supplies; nil if the instance is needed at once.
        @usableFromInline let supplied: [any Any.Type]?

        @_alwaysEmitIntoClient init(
            _ kind: Kind, from: Int, to: Int?, _ type: any Any.Type, _ name: RegistrationName?, _ later: [any Any.Type]?
        ) {
            (self.kind, self.from, self.to, self.type, self.name, supplied) = (kind, from, to, type, name, later)
        }

        /// What is needed. Types of two modules may have one name.
        @_alwaysEmitIntoClient var asked: Key { Key(ObjectIdentifier(type), name) }
        @_alwaysEmitIntoClient func isSame(as other: Edge) -> Bool { asked == other.asked }
        /// The type and the name that are needed.
        public var key: String { label(type, name) }
        /// Whether a provider asks for it after the initializer, so that it closes no cycle.
        public var isDeferred: Bool { supplied != nil }
    }
}

extension KindOf where Subject == DependencyGraph.Edge {
    /// The initializer has a parameter of the type.
    @_alwaysEmitIntoClient public static var autowiring: Self { Self(code: 0) }
    /// An alias forwards to it.
    @_alwaysEmitIntoClient public static var alias: Self { Self(code: 1) }
    /// A decorator wraps it.
    @_alwaysEmitIntoClient public static var decorator: Self { Self(code: 2) }
    /// The factory asked for it while an observer looked on.
    @_alwaysEmitIntoClient public static var observed: Self { Self(code: 3) }

    /// Whether the instance is that of the other registration, under another type or wrapped.
    @_alwaysEmitIntoClient var isForwarding: Bool { self == .alias || self == .decorator }
}
