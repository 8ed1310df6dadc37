/// Tells how long the instances of a registration live. More lifetimes may come: a `switch` over them has a `default`.
public struct Lifetime: Hashable, Sendable, CustomStringConvertible {
    private let code: UInt8

    /// Built at every request and kept by nobody: ``New``.
    public static var new: Lifetime { Lifetime(code: 0) }
    /// Built once for the container that owns the registration: ``Shared``.
    public static var shared: Lifetime { Lifetime(code: 1) }
    /// Shared as long as somebody else holds it, and built again afterwards: ``Weak``.
    public static var weak: Lifetime { Lifetime(code: 2) }
    /// Built once for each container that resolves it: ``Scoped``.
    public static var scoped: Lifetime { Lifetime(code: 3) }
    /// Built once in each graph of objects, for one request and all that it leads to: ``Graph``.
    public static var graph: Lifetime { Lifetime(code: 4) }

    /// The name of the lifetime, such as `shared`.
    public var description: String { title.lowercased() }

    /// The name of what registers it, such as `Shared`.
    package var title: String { ["New", "Shared", "Weak", "Scoped", "Graph"][Int(code)] }
}
