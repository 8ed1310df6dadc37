/// A type and a name, registered or requested, such as `any Router named "main"`.
package struct DependencyID: Sendable, CustomStringConvertible {
    package let type: any Any.Type
    package let name: RegistrationName?

    package init(_ type: any Any.Type, _ name: RegistrationName?) {
        self.type = type
        self.name = name
    }

    /// The key by which a registration is found. Types of two modules may have the same name.
    package var key: Key { Key(ObjectIdentifier(type), name) }

    package var description: String { TypeNameFormatter().text(self) }
}
