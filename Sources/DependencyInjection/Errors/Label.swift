/// A type and a name, registered or asked for, such as `any Router named "main"`.
package struct Label: Sendable, CustomStringConvertible {
    package let type: any Any.Type
    package let name: RegistrationName?

    package init(_ type: any Any.Type, _ name: RegistrationName?) {
        self.type = type
        self.name = name
    }

    /// What a registration is found by. Types of two modules may have one name.
    package var key: Key { Key(ObjectIdentifier(type), name) }

    package var description: String { Namesakes().text(self) }

    /// What is asked for, as arguments: `(any Router).self, name: "main"`.
    package var arguments: String { "\(TypeName.metatype(type))\(name.asArgument)" }

    /// What is registered, as arguments: `… as any Router, name: "main"`. A function alone would be taken for the factory.
    package var made: String {
        let made = "… as \(TypeName.short(type))"
        return (made.contains(" -> ") ? "{ _ in \(made) }" : made) + name.asArgument
    }
}

extension RegistrationName? {
    /// The name as a further argument, `, name: "main"`, which code can be made of as it stands; nothing if there is none.
    package var asArgument: String { map { ", name: \($0.rawValue.debugDescription)" } ?? "" }
}

extension Registration {
    /// The type and the name that it was registered for.
    package var label: Label { Label(type, name) }

    /// What is registered, and where.
    package func step(_ namesakes: Namesakes = Namesakes()) -> String {
        "\(namesakes.text(label))  (registered at \(place))"
    }
}

extension [Registration] {
    /// What is registered, and where, each on a line of its own.
    package func lines(_ namesakes: Namesakes = Namesakes()) -> String {
        map { "\n    \($0.step(namesakes))" }.joined()
    }
}
