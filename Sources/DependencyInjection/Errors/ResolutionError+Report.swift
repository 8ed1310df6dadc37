extension ResolutionError {
    /// The facts of an error, from which its texts are generated on demand. It retains registrations, but neither
    /// instances nor arguments.
    final class Report: Sendable {
        let cause: Cause
        let type: any Any.Type
        let name: RegistrationName?
        let site: CallSite
        /// The types of the arguments that the request supplied.
        let arguments: [any Any.Type]
        /// The call site of the outermost request that led to this one.
        let origin: CallSite
        let path: [Registration]
        let registration: Registration?
        /// The registration that a parent caches and that depends on a type only children register.
        let captiveDependent: Registration?
        /// The container in which the lookup failed.
        let core: ContainerCore?
        /// Whether that container is the parent of the container that received the outermost request.
        let isInParent: Bool
        /// The container that refused the request, if that is relevant.
        let container: ContainerCore?

        init(
            _ request: Request, _ cause: Cause, in core: ContainerCore?, by registration: Registration?
        ) {
            self.cause = cause
            type = request.type
            name = request.key.name
            site = request.site
            arguments = request.arguments.map { Swift.type(of: $0) }
            origin = ThreadRecord.current.origin ?? site
            let requests = ThreadRecord.current.requests
            path = requests.compactMap(\.registration)
            self.registration = registration ?? core?.match(for: request.key)?.entry.registration
            container = core
            let missingIn = if case .notRegistered = cause { core } else { nil as ContainerCore? }
            captiveDependent = missingIn?.captiveDependent(on: request, among: requests)
            self.core = missingIn
            isInParent = missingIn.map { core in requests.contains { $0.core !== core } } ?? false
        }

        /// The declaration that children register the missing type.
        var declaration: Registration? { core?.declaration(of: type, name) }
    }
}

extension ContainerCore {
    /// Returns the innermost registration that this container builds and caches, if the missing type is registered only
    /// by a child that takes part in the request, or if the container declares that children register it.
    fileprivate func captiveDependent(
        on request: Request, among requests: [ThreadRecord.RequestInProgress]
    ) -> Registration? {
        let end = requests.lastIndex { $0.core !== self } ?? -1
        guard
            let dependent = requests[(end + 1)...].last(where: {
                $0.registration?.lifetime?.isCachedByOwner == true
            })
        else { return nil }
        let key = request.key
        let isKnown = requests[...end].contains { requester in
            requester.core?.isRegistered(key) == true
                && requester.core?.selfAndParents.contains { $0 === self } == true
        }
        let declaration = Key(declarationOf: request.type, key.name)
        let isDeclared = ThreadRecord.reading { slot(declaration)?.entry != nil }
        return isDeclared || isKnown ? dependent.registration : nil
    }
}
