/// What was asked for, with which arguments, and where.
@usableFromInline
struct Request {
    let type: any Any.Type
    let key: Key
    let arguments: [Any]
    let site: CallSite

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
    /// Throws if there are arguments, which nothing takes.
    func refuseArguments(in core: ContainerCore) throws(ResolutionError) {
        guard !arguments.isEmpty else { return }
        throw ResolutionError(wrapping: ArgumentMismatch(expected: [], supplied: arguments), self, in: core)
    }
}
