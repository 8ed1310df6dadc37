// Registrations in texts, with their places.

extension Registration {
    /// The registered type and name.
    package var id: DependencyID { DependencyID(type, name) }

    /// The registered type and name with the source location.
    package func textWithPlace(_ typeNames: TypeNameFormatter = TypeNameFormatter()) -> String {
        "\(typeNames.text(id))  (\(verb) at \(place))"
    }
}

extension [Registration] {
    /// Returns the registrations, one per line.
    package func lines(_ typeNames: TypeNameFormatter = TypeNameFormatter()) -> String {
        map { "\n    \($0.textWithPlace(typeNames))" }.joined()
    }
}
