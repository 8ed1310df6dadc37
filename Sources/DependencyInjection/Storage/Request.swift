/// What was asked for, with which arguments, and where.
@usableFromInline
struct Request {
    let type: any Any.Type
    let key: Key
    let arguments: [Any]
    let site: CallSite
    /// Whether `await` asks, for this very type or through aliases, decorators and Optionals; not through a factory.
    var isAwaited = false

    @usableFromInline
    init(_ type: any Any.Type, _ name: RegistrationName?, _ arguments: [Any], file: StaticString, line: UInt) {
        self.init(type, key: Key(ObjectIdentifier(type), name), arguments, CallSite(file: file, line: line))
    }

    init(_ type: any Any.Type, key: Key, _ arguments: [Any], _ site: CallSite) {
        self.type = type
        self.key = key
        self.arguments = arguments
        self.site = site
    }
}

extension Request {
    /// The same request for what an alias or an Optional is made of.
    func forwarded(to type: any Any.Type, _ key: Key) -> Request {
        var request = Request(type, key: key, arguments, site)
        request.isAwaited = isAwaited
        return request
    }

    /// Throws if there are arguments, which nothing takes.
    func refuseArguments(in core: ContainerCore) throws(ResolutionError) {
        guard !arguments.isEmpty else { return }
        throw ResolutionError(wrapping: ArgumentMismatch(expected: [], supplied: arguments), self, in: core)
    }

    /// Throws if what ``Weak`` built is a value, which nobody else can hold.
    func refuseValue(_ box: Holder, in core: ContainerCore) throws(ResolutionError) {
        guard box.weakened == nil else { return }
        throw ResolutionError(self, .weakValueType(instance: "\(TypeName(Swift.type(of: box.instance)))"), in: core)
    }
}
