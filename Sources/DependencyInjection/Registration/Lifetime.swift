/// The lifetime of the instances of a registration. More lifetimes may be added, so a `switch` over them needs a
/// `default`.
public struct Lifetime: Hashable, Sendable, CustomStringConvertible {
    /// The lifetimes, for switches that the compiler checks.
    enum Kind: Sendable { case new, shared, weak, scoped, graph }

    let kind: Kind

    /// Built at every request and never cached: ``New``.
    public static var new: Lifetime { Lifetime(kind: .new) }
    /// Built once for the container that owns the registration: ``Shared``.
    public static var shared: Lifetime { Lifetime(kind: .shared) }
    /// Shared while other code retains it, and rebuilt afterwards: ``Weak``.
    public static var weak: Lifetime { Lifetime(kind: .weak) }
    /// Built once for each container that resolves it: ``Scoped``.
    public static var scoped: Lifetime { Lifetime(kind: .scoped) }
    /// Built once in each graph of objects, for one outermost request and everything it resolves: ``Graph``.
    public static var graph: Lifetime { Lifetime(kind: .graph) }

    /// The name of the lifetime, such as `shared`.
    public var description: String { title.lowercased() }

    /// The name of the registration type, such as `Shared`.
    package var title: String {
        switch kind {
        case .new: "New"
        case .shared: "Shared"
        case .weak: "Weak"
        case .scoped: "Scoped"
        case .graph: "Graph"
        }
    }
}

extension Lifetime {
    /// The place where an instance is cached.
    package enum CacheLocation: Sendable {
        /// The instance isn't cached.
        case uncached
        /// The container that owns the registration.
        case owner
        /// The container that resolves the registration.
        case requester
        /// The graph of objects that the request belongs to.
        case graph

        /// Whether a container caches the instance.
        package var isContainer: Bool {
            switch self {
            case .owner, .requester: true
            case .uncached, .graph: false
            }
        }
    }

    /// The place where an instance of this lifetime is cached.
    package var cacheLocation: CacheLocation {
        switch kind {
        case .new: .uncached
        case .shared, .weak: .owner
        case .scoped: .requester
        case .graph: .graph
        }
    }

    /// Whether the cache holds the instance weakly.
    package var isHeldWeakly: Bool {
        switch kind {
        case .weak: true
        case .new, .shared, .scoped, .graph: false
        }
    }

    /// The lifetime to register an asynchronous factory with, which `Weak` and `Graph` don't accept.
    package var ofAsyncFactories: Lifetime {
        switch kind {
        case .weak: .shared
        case .graph: .new
        case .new, .shared, .scoped: self
        }
    }

    /// Whether arguments may end a recursion, because each request builds an instance of its own.
    var permitsRecursion: Bool { cacheLocation == .uncached }

    /// Whether the container that owns the registration caches the instance. Such an instance never receives a child's
    /// registrations.
    package var isCachedByOwner: Bool { cacheLocation == .owner }

    /// Whether `prepare` builds an instance ahead of the first request.
    ///
    /// - Parameter isChild: Whether the container is a child, or a fork of one. Other containers don't build instances
    ///   that each child builds for itself.
    func isBuiltAhead(isChild: Bool) -> Bool {
        switch cacheLocation {
        case .owner: !isHeldWeakly
        case .requester: isChild
        case .uncached, .graph: false
        }
    }
}
