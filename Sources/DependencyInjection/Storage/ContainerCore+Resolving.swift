extension ContainerCore {
    /// Answers a request by whatever is registered for it, or by what can be made of that: an Optional, a provider.
    @usableFromInline
    func resolve<T>(_ type: T.Type, _ request: Request) throws(ResolutionError) -> T {
        if let box = try box(for: request) { return box.value(as: type) }
        if let synthesized = type as? any Synthesized.Type { return try synthesize(synthesized, request) }
        throw ResolutionError(request, .notRegistered, in: self)
    }

    private func synthesize<S: Synthesized, T>(_ type: S.Type, _ request: Request) throws(ResolutionError) -> T {
        identityCast(try S.synthesize(in: self, request), to: T.self)
    }

    /// Resolves every registration of a type, or every one under a name.
    func resolveAll<T>(
        _ type: T.Type, _ request: Request, named name: RegistrationName?
    ) throws(ResolutionError) -> [T] {
        var instances: [T] = []
        for key in visibleKeys(type, named: name) {
            // Nil if it was unregistered meanwhile.
            if let box = try box(for: request.forwarded(to: type, key)) { instances.append(box.value(as: type)) }
        }
        return instances
    }

    /// The keys of a type's registrations in the order of registration, a child's before its parent's.
    func visibleKeys<T>(_ type: T.Type, named name: RegistrationName?) -> [Key] {
        visibleRegistrations.map { $0.key }
            .filter { $0.type == ObjectIdentifier(type) && (name == nil || $0.name == name) }
    }

    /// A box of the instance that answers a request; nil if nothing is registered for it.
    ///
    /// The search begins at `start`, which is this container unless it is a parent whose registration is being wrapped.
    func box(for request: Request, startingAt start: ContainerCore? = nil) throws(ResolutionError) -> Holder? {
        while let (owner, entry) = (start ?? self).find(request.key) {
            // What is yet to be awaited is built first, wherever that is asked for.
            if entry.isMainActor, entry.isBuilt || !entry.registration.isAsync { try checkMainActor(request) }
            switch entry.registration.lifetime {
            case .new:
                return try build(entry, of: owner, request)
            case .shared, .weak:
                if let box = try owner.kept(entry, of: owner, request) { return box }
            case .scoped:
                let place = owner === self ? entry : local(for: entry, of: owner)
                if let box = try kept(place, of: owner, request) { return box }
            case .alias, .inherited:
                if let box = try forward(entry, of: owner, request) { return box }
            }
            // The registration was replaced meanwhile: ask again.
        }
        return nil
    }

    func checkMainActor(_ request: Request) throws(ResolutionError) {
        if !MainQueue.isCurrent { throw ResolutionError(request, .mainActorRequired, in: self) }
    }

    /// Builds an instance by an entry, here or in a parent, with this container's resolver.
    func build(_ entry: Entry, of owner: ContainerCore, _ request: Request) throws(ResolutionError) -> Holder {
        let thread = ThreadRecord.current
        guard thread.enter(.passUnretained(self), .passUnretained(entry.registration)) else {
            throw ResolutionError(request, .cycle)
        }
        let failure: any Error
        do {
            let box = try entry.registration.makeBox(entry, of: owner, in: self, request)
            thread.leave()
            return box
        } catch { failure = error }
        thread.leave()
        guard failure is AsyncFactoryError else { throw ResolutionError(wrapping: failure, request, in: self) }
        let build = AsyncBuild(core: self, entry: entry, request: request)
        throw ResolutionError(request, .asyncRequired, in: self, pending: build)
    }

    /// The instance of an entry that is kept here, built if need be; nil if the entry was replaced.
    private func kept(
        _ entry: Entry, of owner: ContainerCore, _ request: Request
    ) throws(ResolutionError) -> Holder? {
        if !request.arguments.isEmpty, entry.registration.argumentTypes.isEmpty {
            try request.refuseArguments(in: self)
        }
        let isWeak = entry.registration.lifetime == .weak
        if let box = published(in: entry, isWeak: isWeak) { return box }
        return try exclusively { () throws(ResolutionError) -> Holder? in
            guard isCurrent(entry) else { return nil }
            if let box = published(in: entry, isWeak: isWeak) { return box }
            let entry = entry.isBuilt ? renewed(entry) : entry
            let box = try build(entry, of: owner, request)
            if isWeak { try request.refuseValue(box, in: self) }
            keepAlive(box, isWeak: isWeak)
            // The factory itself may have replaced the registration: then its caller gets the instance, and nobody keeps it.
            keep(box, in: entry, isMainActor: entry.isMainActor, isWeak: isWeak)
            return box
        }
    }
}
