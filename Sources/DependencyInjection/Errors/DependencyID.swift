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

    /// The arguments of a request: `(any Router).self, name: "main"`.
    package var arguments: String { "\(TypeName.metatype(type))\(name.asArgument)" }

    /// Returns the arguments of a registration: `… as any Router, name: "main"`, or
    /// `{ (_, _: Int) in … as any Router }` for a factory with arguments.
    package func registrationArguments(with arguments: [any Any.Type] = []) -> String {
        let made = "… as \(TypeName.short(type))"
        if arguments.isEmpty {
            // The overload for factories accepts every function.
            return (made.contains(" -> ") ? "{ _ in \(made) }" : made) + name.asArgument
        }
        let parameters = arguments.map { argument in
            let name = TypeNameFormatter(disambiguating: [type]).name(argument)
            return "_: \(name.contains(" -> ") ? "@escaping " : "")\(name)"
        }
        return "{ (_, \(parameters.joined(separator: ", "))) in \(made) }\(name.asArgument)"
    }
}

extension DependencyID {
    /// Returns the simplest registration of the type: `Shared(… as any Router)`, or
    /// `New { (_, _: Int) in … as Ticket }` with arguments.
    package func registrationExample(with arguments: [any Any.Type] = []) -> String {
        if arguments.isEmpty { return "Shared(\(registrationArguments()))" }
        let factory = registrationArguments(with: arguments)
        return name == nil ? "New \(factory)" : "New(\(factory))"
    }
}

extension RegistrationName? {
    /// The name as a further argument in code, `, name: "main"`, or empty without a name.
    package var asArgument: String { map { ", name: \($0.rawValue.debugDescription)" } ?? "" }
}

extension Registration {
    /// The registered type and name.
    package var id: DependencyID { DependencyID(type, name) }

    /// The registered type and name with the source location.
    package func textWithPlace(_ typeNames: TypeNameFormatter = TypeNameFormatter()) -> String {
        "\(typeNames.text(id))  (registered at \(place))"
    }
}

extension [Registration] {
    /// Returns the registrations, one per line.
    package func lines(_ typeNames: TypeNameFormatter = TypeNameFormatter()) -> String {
        map { "\n    \($0.textWithPlace(typeNames))" }.joined()
    }
}
