extension ResolutionError {
    /// The facts of an error, from which its texts are generated on demand. Like a ``Resolver``, it retains
    /// registrations but no instances. It doesn't retain the arguments.
    package final class Report: Sendable {
        let cause: Cause
        let type: any Any.Type
        let key: Key
        let site: CallSite
        /// The types of the arguments that the request supplied.
        let arguments: [any Any.Type]
        /// The call site of the outermost request that led to this one.
        let origin: CallSite
        package let path: [Registration]
        package let registration: Registration?
        /// The registration that a parent caches and that depends on a type only children register.
        let captiveDependent: Registration?
        /// The container in which the lookup failed. `nil` for other reasons than `notRegistered`.
        let core: ContainerCore?
        /// Whether another container, usually a child, takes part in the request.
        let isInParent: Bool
        /// Whether a child, or a fork of one, created the error. The container itself isn't stored, because a container
        /// retains the errors of its `onClose` handlers.
        let isOfChildOrFork: Bool

        init(_ request: Request, _ cause: Cause, in core: ContainerCore?, by registration: Registration?) {
            self.cause = cause
            type = request.type
            key = request.key
            site = request.site
            arguments = request.arguments.map { Swift.type(of: $0) }
            origin = ThreadRecord.current.origin ?? site
            let requests = ThreadRecord.current.requests
            path = requests.compactMap(\.registration)
            self.registration = registration ?? core?.match(for: request.key)?.entry.registration
            isOfChildOrFork = core?.isChildOrFork == true
            let missingIn = if case .notRegistered = cause { core } else { nil as ContainerCore? }
            captiveDependent = missingIn?.captiveDependent(on: request, among: requests)
            self.core = missingIn
            isInParent = missingIn.map { core in requests.contains { $0.core !== core } } ?? false
        }

        /// Whether the request was a call to the container as a whole.
        var isAboutContainer: Bool { type == ContainerCore.self }

        /// The declaration that children register the missing type.
        var declaration: Registration? { core?.match(for: Key(declarationOf: type, key.name))?.entry.registration }
    }
}

extension ResolutionError {
    /// The declaration that children register the missing type. `nil` if the dependent is cached by a parent, because a
    /// parent's instances never depend on the registrations of children.
    package var declaration: Registration? { report.captiveDependent == nil ? report.declaration : nil }
}

extension ContainerCore {
    /// Returns the innermost registration that this container builds and caches. Returns `nil` unless a child that
    /// takes part in the request registers the missing type, or this container declares that children register it.
    fileprivate func captiveDependent(
        on request: Request, among requests: [ThreadRecord.RequestInProgress]
    ) -> Registration? {
        let end = requests.lastIndex { $0.core !== self } ?? -1
        let cached = requests[(end + 1)...].last { $0.registration?.lifetime?.isCachedByOwner == true }
        guard let dependent = cached?.registration else { return nil }
        let isKnown = requests[...end].compactMap(\.core).contains { child in
            child.isRegistered(request.key) && child.selfAndParents.contains { $0 === self }
        }
        let declaration = Key(declarationOf: request.type, request.key.name)
        return isKnown || ThreadRecord.reading { entry(declaration) != nil } ? dependent : nil
    }
}
