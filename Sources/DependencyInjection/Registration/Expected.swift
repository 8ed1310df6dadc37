/// Declares that children register a type which their parent itself has not.
///
/// ```swift
/// let app = DIContainer {
///     New(autowiring: Handler.init(session:))
///     Expected(Session.self)
/// }
/// let request = app.makeChild { Shared(UserSession(user: "ada") as Session) }
/// request.resolve(Handler.self).handle("/")
/// ```
///
/// It is no registration and builds nothing: ``DIContainer/isRegistered(_:name:)`` is false, an Optional is nil, and
/// ``Resolver/all(_:name:file:line:)`` is empty. It counts only where nothing is registered, here or in a parent: the error then
/// says that a child has to register the type, and where that was declared. A test that audits the injected properties takes the
/// type as registered. A fork copies it; ``DIContainer/unregister(_:name:file:line:)`` of the type and
/// ``DIContainer/reset(file:line:)`` remove it.
///
/// What the parent keeps itself, a ``Shared`` or a ``Weak``, never sees what a child registers. Let a ``Scoped``, a ``New`` or a
/// ``Graph`` ask for it: these are built for the child.
public struct Expected: RegistrationConvertible {
    /// The declarations, one for each type.
    public let registrations: [Registration]

    /// Declares that children register these types.
    /// - Parameters:
    ///   - type: The type that a child registers.
    ///   - others: Further types.
    ///   - name: The name under which a child registers them.
    ///   - file: The file reported in errors; defaults to the caller's.
    ///   - line: The line reported in errors; defaults to the caller's.
    public init<T, each Other>(
        _ type: T.Type, _ others: repeat (each Other).Type, name: RegistrationName? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        let site = CallSite(file: file, line: line)
        registrations = ([type] + Types<repeat each Other>.all).map {
            Registration($0, name, .declaration, lifetime: nil, site)
        }
    }
}

/// Replaces the type in the key of an ``Expected``. Nobody can ask for it, so that no look-up finds the declaration.
private enum Declaration<T> {}

extension Key {
    /// The key of what is ``Expected`` for a type and a name.
    init(declarationOf type: any Any.Type, _ name: RegistrationName?) {
        func declaration<T>(_ type: T.Type) -> ObjectIdentifier { ObjectIdentifier(Declaration<T>.self) }
        self.init(_openExistential(type, do: declaration), name)
    }
}
