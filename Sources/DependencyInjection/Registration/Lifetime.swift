/// Tells how long what a registration builds lives. More lifetimes may come: a `switch` over them has a `default`.
public struct Lifetime: Hashable, Sendable, CustomStringConvertible {
    private enum Kind { case new, shared, weak, scoped, graph }

    private let kind: Kind

    /// Built at every request and kept by nobody: ``New``.
    public static var new: Lifetime { Lifetime(kind: .new) }
    /// Built once for the container that owns the registration: ``Shared``.
    public static var shared: Lifetime { Lifetime(kind: .shared) }
    /// Shared as long as somebody else holds it, and built again after: ``Weak``.
    public static var weak: Lifetime { Lifetime(kind: .weak) }
    /// Built once for each container that resolves it: ``Scoped``.
    public static var scoped: Lifetime { Lifetime(kind: .scoped) }
    /// Built once in each graph of objects, for one request and all that it leads to: ``Graph``.
    public static var graph: Lifetime { Lifetime(kind: .graph) }

    /// The name of the lifetime, such as `shared`.
    public var description: String { "\(kind)" }
}
