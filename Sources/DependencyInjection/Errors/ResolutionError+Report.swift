extension ResolutionError {
    /// What is known when the error is made; its texts are written when somebody reads them. It keeps registrations, and
    /// no instance and no argument.
    final class Report: Sendable {
        let cause: Cause
        let type: any Any.Type
        let name: RegistrationName?
        let site: CallSite
        /// Where the outermost request was made that led to this one; the same place if this one is the outermost.
        let origin: CallSite
        let path: [Registration]
        let registration: Registration?
        /// What a parent keeps, if it needs what is registered in, or expected of, its children only.
        let keptDependent: Registration?
        /// The container to search for similar registrations. The error retains registrations, as a resolver does.
        let core: ContainerCore?
        /// The container that refused the request, if that matters.
        let container: ContainerCore?

        init(
            _ request: Request, _ cause: Cause, in core: ContainerCore?, by registration: Registration?
        ) {
            self.cause = cause
            type = request.type
            name = request.key.name
            site = request.site
            origin = ThreadRecord.current.origin ?? site
            let requests = ThreadRecord.current.requests
            path = requests.compactMap(\.registration)
            self.registration = registration ?? core?.match(for: request.key)?.entry.registration
            container = core
            let missingIn = if case .notRegistered = cause { core } else { nil as ContainerCore? }
            keptDependent = missingIn?.keptDependent(on: request, among: requests)
            self.core = missingIn
        }

        /// The declaration that children register the missing type.
        var expectation: Registration? { core?.declaration(of: type, name) }
    }
}

extension ContainerCore {
    /// The innermost registration that this container builds to keep, while it lacks what is registered in, or expected of, its
    /// children only; nil if no child that has it asked.
    fileprivate func keptDependent(
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
        let expectation = Key(declarationOf: request.type, key.name)
        let isExpected = ThreadRecord.reading { slot(expectation)?.entry != nil }
        return isExpected || isKnown ? dependent.registration : nil
    }
}
