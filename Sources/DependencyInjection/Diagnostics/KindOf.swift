/// Tells things of one type apart: ``ContainerEvent/Kind``, ``ValidationFinding/Kind`` and ``DependencyGraph/Edge/Kind``.
///
/// ```swift
/// let errors = [ValidationFinding]().filter { $0.kind == .error(.notRegistered) }
/// ```
/// It is not an enumeration, so every `switch` over it has a `default`, and a new kind breaks none. May be used on any
/// thread.
public struct KindOf<Subject>: Equatable, Sendable {
    @usableFromInline let code: UInt8

    @usableFromInline init(code: UInt8) { self.code = code }
}
