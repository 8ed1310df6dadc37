/// The key of a registration: the requested type, and the name, if any.
@usableFromInline package struct Key: Hashable, Sendable {
    package let type: ObjectIdentifier
    package let name: RegistrationName?

    @usableFromInline package init(_ type: ObjectIdentifier, _ name: RegistrationName?) {
        self.type = type
        self.name = name
    }

    /// The key in one word, for tables.
    ///
    /// Without a name, the word is the address of the type's metadata. The address is unique and aligned, so its lowest
    /// bit is 0. With a name, the lowest bit is 1 and the whole key must be compared.
    var word: UInt {
        get {
            let type = UInt(bitPattern: type)
            guard let name else { return type }
            return (type &+ (name.hash &* 0x9e37_79b9)) | 1
        }
    }
}
