/// How long what a registration builds lives. Cases may be added.
public enum Lifetime: String, Sendable {
    /// Built at every request and kept by nobody: ``New``.
    case new
    /// Built once for the container that owns the registration: ``Shared``.
    case shared
    /// Shared as long as somebody else holds it, and built again after: ``Weak``.
    case weak
    /// Built once for each container that resolves it: ``Scoped``.
    case scoped
    /// Built once in each graph of objects, for one request and all that it leads to: ``Graph``.
    case graph
}
