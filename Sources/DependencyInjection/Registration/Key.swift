/// The key of a registration: the requested type and the name, if any. A registration that no request finds has a key of
/// its own.
@usableFromInline package struct Key: Hashable, Sendable {
    /// What a registration is to the type in its key.
    package enum Role: UInt {
        /// The registration builds the type for requests.
        case requested = 0
        /// The registration only declares that children register the type.
        case declared = 2
        /// The type is an Optional. A request for `T?` resolves `T`, and must not find the registration of `T?`.
        case unrequestable = 4
        /// The type stands for a contributed type and a collected one.
        case contributed = 6
    }

    /// The address of the type's metadata, which is a multiple of 8, plus the role. Or an odd number, which is the ID of a
    /// contribution.
    let identity: UInt
    package let name: RegistrationName?

    package init(_ type: ObjectIdentifier, _ name: RegistrationName?, _ role: Role) {
        identity = UInt(bitPattern: type) | role.rawValue
        self.name = name
    }

    @usableFromInline package init(_ type: ObjectIdentifier, _ name: RegistrationName?) {
        self.init(type, name, .requested)
    }

    /// Creates the key under which a type and a name are registered.
    init(registering type: any Any.Type, _ name: RegistrationName?) {
        // The check is the standard library's own. A cast to a protocol would search every registered type for a
        // conformance.
        func isOptional<T>(_ type: T.Type) -> Bool { _isOptional(type) }
        self.init(ObjectIdentifier(type), name, _openExistential(type, do: isOptional) ? .unrequestable : .requested)
    }

    /// Creates the key of a contribution of a registration that has no other key. It is unlike all others, and copies of
    /// the registration share it.
    init(uniqueContributionNamed name: RegistrationName?) {
        identity = UniqueID.next() << 1 | 1
        self.name = name
    }

    /// Whether a request for a type, with any name, finds the registration.
    package func isRequested(as type: any Any.Type) -> Bool { identity == UInt(bitPattern: ObjectIdentifier(type)) }

    package func has(_ role: Role) -> Bool { identity & 7 == role.rawValue }

    /// Whether the registration belongs to a collection only.
    var isContribution: Bool { identity & 1 == 1 || has(.contributed) }

    /// The key in one word, for tables. If its lowest bit is 1, the whole key must be compared.
    var word: UInt {
        get {
            guard let name else { return identity }
            return (identity &+ (name.hash &* 0x9e37_79b9)) | 1
        }
    }
}
