/// A declaration that children register a type that their parent itself doesn't register.
///
/// ```swift
/// let app = DIContainer {
///     New(autowiring: Handler.init(session:))
///     ProvidedByChild(Session.self)
/// }
/// let request = app.makeChild { Shared(UserSession(user: "ada") as Session) }
/// request.resolve(Handler.self).handle("/")
/// ```
///
/// The declaration isn't a registration and builds nothing. ``DIContainer/isRegistered(_:name:)`` is false, an Optional
/// resolves to `nil`, and ``Resolver/all(_:name:file:line:)`` is empty.
///
/// - The declaration takes effect only if neither this container nor a parent has a registration for the type. The
///   error then states that a child must register the type, and names the place of the declaration.
/// - A test that audits injected properties treats the type as registered.
/// - A fork copies the declaration. ``DIContainer/unregister(_:name:file:line:)`` of the type and
///   ``DIContainer/reset(file:line:)`` remove it.
///
/// An instance that the parent caches, a ``Shared`` or a ``Weak``, never receives a child's registrations. Resolve the
/// type in a ``Scoped``, a ``New`` or a ``Graph``, which are built for the child.
public struct ProvidedByChild: RegistrationConvertible {
    /// The declarations, one for each type.
    public let registrations: [Registration]

    /// Creates declarations that children register the given types.
    /// - Parameters:
    ///   - type: The type that a child registers.
    ///   - others: Further types.
    ///   - name: The name under which a child registers them.
    ///   - file: The file reported in errors, by default the caller's.
    ///   - line: The line reported in errors, by default the caller's.
    public init<T, each Other>(
        _ type: T.Type, _ others: repeat (each Other).Type, name: RegistrationName? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        let site = CallSite(file: file, line: line)
        registrations = ([type] + Types<repeat each Other>.all).map {
            Registration($0, name, .declaration, lifetime: nil, key: Key(declarationOf: $0, name), site)
        }
    }
}
