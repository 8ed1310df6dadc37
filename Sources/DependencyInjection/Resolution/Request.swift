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
    var supplied: [Instance] = []
    /// The aliases that have forwarded this request.
    private(set) var aliases: [Entry] = []

    /// Returns the same request for another type: the target of an alias, or the wrapped type of an Optional.
    func forwarded(to type: any Any.Type, _ key: Key, by alias: Entry? = nil) -> Request {
        Request(
            type: type, key: key, arguments: arguments, site: site, isAwaited: isAwaited, supplied: supplied,
            aliases: aliases + (alias.map { [$0] } ?? []))
    }

    /// Throws if the request has arguments. Call it for a type that takes none.
    func refuseArguments() throws(ArgumentMismatch) { if !arguments.isEmpty { throw mismatch } }

    /// The error for a request with arguments to a type that takes none.
    var mismatch: ArgumentMismatch { ArgumentMismatch(expected: [], arguments) }
}

extension Request {
    /// Creates a request for a call to the container as a whole, which names no type.
    init(toContainerAt site: CallSite) {
        let type = ContainerCore.self
        self.init(type: type, key: Key(ObjectIdentifier(type), nil), arguments: [], site: site)
    }

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
