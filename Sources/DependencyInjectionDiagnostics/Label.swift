import DependencyInjection

/// The type and the name of a registration, or those asked for, such as `any Router named "main"`.
struct Label: Sendable {
    let type: any Any.Type
    let name: RegistrationName?

    /// What a registration is found by. Types of two modules may have one name.
    var key: Key { Key(ObjectIdentifier(type), name) }
}

extension Label {
    init(of registration: Registration) { self.init(type: registration.type, name: registration.name) }
}

extension ResolutionError {
    /// The type and the name asked for.
    var label: Label { Label(type: type, name: name) }
}

extension TypeNames {
    func label(_ label: Label) -> String { self.label(label.type, label.name) }

    /// What is asked for, as arguments: `(any Router).self, name: "main"`.
    func argument(_ label: Label) -> String {
        argument(label.type, label.name)
    }
}
