/// The key of a registration: the requested type and the name, if any. A registration that no request finds has a key of
/// its own.
@usableFromInline package struct Key: Hashable, Sendable {
    /// The relation of a registration to the type in its key.
    package enum Role: UInt64 {
        /// Requests for the type find the registration.
        case requested
        /// The registration only declares that children register the type.
        case declared
        /// The type is an Optional. A request for `T?` resolves `T`, and must not find the registration of `T?`.
        case unrequestable
        /// The type stands for a contributed type and a collected one.
        case contributed
        /// The registration is found in collections only, and has an ID in place of a type.
        case onlyContributed
    }

    /// The address of the type's metadata, or an ID, followed by the three bits of the role.
    let identity: UInt64
    package let name: RegistrationName?

    private init(_ value: UInt, _ name: RegistrationName?, _ role: Role) {
        identity = UInt64(value) << 3 | role.rawValue
        self.name = name
    }

    init(_ type: ObjectIdentifier, _ name: RegistrationName?, _ role: Role) {
        self.init(UInt(bitPattern: type), name, role)
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

    /// Creates the key of the ``ProvidedByChild`` declaration for a type and a name.
    package init(declarationOf type: any Any.Type, _ name: RegistrationName?) {
        self.init(ObjectIdentifier(type), name, .declared)
    }

    /// Creates the key of a registration that is found in collections only. It is unlike all others, and copies of the
    /// registration share it.
    init(uniqueContributionNamed name: RegistrationName?) { self.init(UniqueID.next(), name, .onlyContributed) }

    /// Whether the registration has this relation to the type.
    package func has(_ role: Role) -> Bool { identity & 7 == role.rawValue }

    /// Whether a request for a type, with any name, finds the registration.
    package func isRequested(as type: any Any.Type) -> Bool { identity == Key(ObjectIdentifier(type), nil).identity }

    /// Whether the registration belongs to a collection only.
    var isContribution: Bool { has(.contributed) || has(.onlyContributed) }

    /// The key in one word, for tables.
    ///
    /// For a requested type without a name, the word is the address of the type's metadata. The address is unique and
    /// aligned, so its lowest bit is 0. Otherwise, the lowest bit is 1 and the whole key must be compared.
    var word: UInt {
        get {
            if name == nil, has(.requested) { return UInt(truncatingIfNeeded: identity >> 3) }
            return (UInt(truncatingIfNeeded: identity) &+ (name?.hash ?? 0) &* 0x9e37_79b9) | 1
        }
    }
}
