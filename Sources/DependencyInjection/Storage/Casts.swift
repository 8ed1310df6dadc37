/// Returns the value as the type it has, where only the run time knows that the two types are one.
///
/// Sound because it checks that they are; a cast by `as!` would box the value and search for conformances.
@inlinable
func identityCast<Value, Same>(_ value: Value, to type: Same.Type) -> Same {
    precondition(Value.self == Same.self, "An identity cast is between one type and itself.")
    return unsafeBitCast(value, to: type)
}

extension Registration {
    /// This registration as one of `T`, by whose key it was found.
    func typed<T>(as type: T.Type) -> TypedRegistration<T> {
        // Sound: the key of a registration is made from its type.
        unsafeDowncast(self, to: TypedRegistration<T>.self)
    }

    /// This decorator as one of `T`, for whose key it was registered.
    func asDecorator<T>(of type: T.Type) -> DecoratorRegistration<T> {
        // Sound: a container lists decorators under their own key, which is made from their type.
        unsafeDowncast(self, to: DecoratorRegistration<T>.self)
    }

    /// This alias as one of `T`, by whose key it was found.
    func asAlias<T>(of type: T.Type) -> AliasRegistration<T> {
        // Sound: as above; and only aliases have the lifetime that is checked.
        precondition(lifetime == .alias)
        return unsafeDowncast(self, to: AliasRegistration<T>.self)
    }
}
