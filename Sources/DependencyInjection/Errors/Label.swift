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

    package var description: String { text(beside: nil) }

    /// The label in a text about another type, which may have the same name.
    package func text(beside other: (any Any.Type)?) -> String { text(TypeName.of(type, beside: other)) }

    /// The label with a name for its type.
    package func text(_ typeName: String) -> String {
        name.map { "\(typeName) named \($0.rawValue.debugDescription)" } ?? typeName
    }

    /// What is asked for, as arguments: `(any Router).self, name: "main"`.
    package func arguments(beside other: (any Any.Type)? = nil) -> String {
        "\(TypeName.metatype(type, beside: other))\(name.asArgument)"
    }

    /// What is registered, as arguments: `… as any Router, name: "main"`.
    package var made: String { "\(TypeName.made(type))\(name.asArgument)" }
}

extension RegistrationName? {
    /// The name as a further argument, `, name: "main"`, which code can be made of as it stands; nothing if there is none.
    package var asArgument: String { map { ", name: \($0.rawValue.debugDescription)" } ?? "" }
}

extension Registration {
    /// The type and the name that it was registered for.
    package var label: Label { Label(type, name) }

    /// What is registered, and where, in a text about another type.
    package func step(beside other: (any Any.Type)? = nil) -> String {
        "\(label.text(beside: other))  (registered at \(place))"
    }
}

extension [Registration] {
    /// What is registered, and where, each on a line of its own, in a text about another type.
    package func lines(beside other: (any Any.Type)? = nil) -> String {
        map { "\n    \($0.step(beside: other))" }.joined()
    }
}
