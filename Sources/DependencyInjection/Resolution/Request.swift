/// A request that takes the slow path: the type and the name, the arguments, and the place in the code.
@usableFromInline package struct Request {
    let type: any Any.Type
    let key: Key
    let arguments: [Any]
    package let site: CallSite
    /// Whether a task awaits this type, directly or through an alias or an Optional. Requests in a factory aren't
    /// awaited.
    var isAwaited = false
    /// The instances that were awaited for this request and that no container caches.
    var supplied: [Supplied] = []
    /// The IDs of the aliases that have forwarded this request.
    private(set) var aliases: [UInt] = []

    /// An instance, and the entry whose factory built it.
    struct Supplied {
        let entry: Entry
        let box: any AnyBox
    }

    /// Returns the same request for another type: the target of an alias, or the wrapped type of an Optional.
    func forwarded(to type: any Any.Type, _ key: Key, by alias: Entry? = nil) -> Request {
        Request(
            type: type, key: key, arguments: arguments, site: site, isAwaited: isAwaited, supplied: supplied,
            aliases: aliases + (alias.map { [$0.id] } ?? []))
    }

    /// Throws if the request has arguments. Call it for a type that takes none.
    func refuseArguments() throws(ArgumentMismatch) { if !arguments.isEmpty { throw mismatch } }

    /// The error for a request with arguments to a type that takes none.
    var mismatch: ArgumentMismatch { ArgumentMismatch(expected: [], arguments) }
}

extension Request {
    /// Creates a request for a call to the container as a whole, which names no type.
    init(toContainerAt site: CallSite) {
        let type = WholeContainer.self
        self.init(type: type, key: Key(ObjectIdentifier(type), nil), arguments: [], site: site)
    }

    /// Whether a type is the placeholder in requests to the container as a whole.
    static func isToContainer(_ type: any Any.Type) -> Bool { type == WholeContainer.self }

    /// Creates a request for a registration. Without a call site, the place of the registration is reported.
    @usableFromInline package init(for registration: Registration, _ arguments: [Any], at site: CallSite?) {
        let site = site ?? registration.site
        self.init(type: registration.type, key: registration.key, arguments: arguments, site: site)
    }

    @usableFromInline
    init(_ type: any Any.Type, _ name: RegistrationName?, _ arguments: [Any], file: StaticString, line: UInt) {
        let key = Key(ObjectIdentifier(type), name)
        self.init(type: type, key: key, arguments: arguments, site: CallSite(file: file, line: line))
    }
}

/// The placeholder type in requests to the container as a whole.
private enum WholeContainer {}

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

/// The arguments of a request, which a factory reads one by one, converted to its parameter types.
@usableFromInline struct ArgumentList {
    private let arguments: [Any]
    private let expected: [any Any.Type]
    private var position = 0

    /// Creates a list. Throws if the number of arguments doesn't match the factory's parameters.
    init(_ arguments: [Any], expected: [any Any.Type]) throws(ArgumentMismatch) {
        self.arguments = arguments
        self.expected = expected
        if arguments.count != expected.count { throw mismatch }
    }

    /// Returns the next argument, converted as `as?` would: a `Dog` for an `any Animal`, a value for an Optional.
    mutating func next<T>(_ type: T.Type) throws(ArgumentMismatch) -> T {
        defer { position += 1 }
        guard let argument = arguments[position] as? T else { throw mismatch }
        return argument
    }

    /// Checks the types of all arguments before the first is read. Throws if an argument doesn't match.
    func check() throws(ArgumentMismatch) {
        for (type, argument) in zip(expected, arguments) {
            func fits<T>(_ type: T.Type) -> Bool { argument is T }
            if !_openExistential(type, do: fits) { throw mismatch }
        }
    }

    private var mismatch: ArgumentMismatch { ArgumentMismatch(expected: expected, arguments) }
}

/// The error for arguments that don't match. The code that catches it adds the request.
struct ArgumentMismatch: Error {
    /// The types that are expected.
    let expected: [any Any.Type]
    /// The types that were supplied.
    let supplied: [any Any.Type]

    init(expected: [any Any.Type], _ arguments: [Any]) {
        self.expected = expected
        supplied = arguments.map { type(of: $0) }
    }
}
