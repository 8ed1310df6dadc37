/// A request that takes the slow path: the type and the name, the arguments, and the place in the code.
@usableFromInline struct Request {
    let type: any Any.Type
    let key: Key
    let arguments: [Any]
    let site: CallSite
    /// Whether a task awaits this type, directly or through an alias or an Optional. A factory's request is not awaited.
    var isAwaited = false
    /// The instances that were awaited for this request and that no container caches.
    var supplied: [Supplied] = []

    /// An instance, and the entry whose factory built it.
    struct Supplied {
        let entry: Entry
        let box: any AnyBox
    }

    /// Makes the same request for another type: that of an alias's target, or the one in an Optional.
    func forwarded(to type: any Any.Type, _ key: Key) -> Request {
        Request(type: type, key: key, arguments: arguments, site: site, isAwaited: isAwaited, supplied: supplied)
    }

    /// Throws if there are arguments, because nothing takes them.
    func refuseArguments() throws(ArgumentMismatch) { if !arguments.isEmpty { throw mismatch } }

    /// Says that no arguments are taken.
    var mismatch: ArgumentMismatch { ArgumentMismatch(expected: [], arguments) }
}

extension Request {
    /// Stands for a call that asks the container for no type.
    init(toContainerAt site: CallSite) {
        let type = WholeContainer.self
        self.init(type: type, key: Key(ObjectIdentifier(type), nil), arguments: [], site: site)
    }

    /// Whether it is such a call.
    static func isToContainer(_ type: any Any.Type) -> Bool { type == WholeContainer.self }

    /// Asks for a registration, from where it was written if no other place is known.
    @usableFromInline init(for registration: Registration, _ arguments: [Any], at site: CallSite?) {
        let site = site ?? registration.site
        self.init(type: registration.type, key: registration.key, arguments: arguments, site: site)
    }

    @usableFromInline
    init(_ type: any Any.Type, _ name: RegistrationName?, _ arguments: [Any], file: StaticString, line: UInt) {
        let key = Key(ObjectIdentifier(type), name)
        self.init(type: type, key: key, arguments: arguments, site: CallSite(file: file, line: line))
    }
}

/// What a call asks for that asks for no type.
private enum WholeContainer {}
