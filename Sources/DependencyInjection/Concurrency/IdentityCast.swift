/// Returns the value under the other type, which is the same type at run time.
///
/// Sound because it compares the types. A cast with `as!` would box the value and search for conformances.
@inlinable func identityCast<Value, Same>(_ value: Value, to type: Same.Type) -> Same {
    precondition(Value.self == Same.self, "An identity cast is between one type and itself.")
    // Sound: the precondition has compared the types.
    return unsafeBitCast(value, to: type)
}
