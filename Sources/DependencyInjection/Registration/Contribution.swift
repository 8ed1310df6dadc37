/// The membership of a registration in the collection of its type. Copies of the registration share this object.
package final class Contribution: Sendable {
    /// The identity of the contributed type together with the collected one.
    private let pair: ObjectIdentifier

    init(pair: ObjectIdentifier) { self.pair = pair }

    /// Returns the key of the contribution, which no request names.
    ///
    /// A registered type has one contribution to a collection, which a later registration or a child replaces. A
    /// registration that is found in collections only has no such type, so this object is its identity.
    func key(_ kind: Registration.Kind, _ name: RegistrationName?) -> Key {
        if case .alias(let target) = kind, !target.isContribution { return Key(pair, name) }
        return Key(ObjectIdentifier(self), name)
    }
}

extension Registration {
    /// The key whose decorators also wrap this contribution. `nil` for other registrations.
    var collectionKey: Key? { isContribution ? Key(ObjectIdentifier(type), name) : nil }

    /// Returns whether the registration is a contribution to the collection of a type.
    func isContribution(to type: any Any.Type) -> Bool { isContribution && self.type == type }

    /// Whether the registration has this key, or is a contribution of this type and name.
    func isRegistered(as other: Key) -> Bool {
        key == other || isContribution && ObjectIdentifier(type) == other.type && name == other.name
    }
}
