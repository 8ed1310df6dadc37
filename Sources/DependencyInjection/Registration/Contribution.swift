extension Registration {
    /// The key whose decorators also wrap this contribution. `nil` for other registrations.
    var collectionKey: Key? { isContribution ? Key(ObjectIdentifier(type), name) : nil }

    /// Returns whether the registration is a contribution to the collection of a type.
    func isContribution(to type: any Any.Type) -> Bool { isContribution && self.type == type }

    /// Whether the registration has this key, or is a contribution of this type and name.
    func isRegistered(as other: Key) -> Bool {
        key == other || isContribution && other.isRequested(as: type) && name == other.name
    }
}
