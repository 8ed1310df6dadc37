/// What a registration is found by: the type asked for and the name, if any.
@usableFromInline package struct Key: Hashable, Sendable {
    package let type: ObjectIdentifier
    package let name: RegistrationName?

    @usableFromInline package init(_ type: ObjectIdentifier, _ name: RegistrationName?) {
        self.type = type
        self.name = name
    }

    /// The key in one word, for tables.
    ///
    /// Without a name it is the address of the type's metadata, which is aligned, and so is unique; with one, the lowest bit is
    /// set and the whole key must be compared.
    var word: UInt {
        get {
            let type = UInt(bitPattern: type)
            guard let name else { return type }
            return (type &+ (name.hash &* 0x9e37_79b9)) | 1
        }
    }
}
