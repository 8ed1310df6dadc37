extension ContainerCore {
    /// Answers a request by whatever is registered for it, or by what can be made of that: an Optional, a provider.
    ///
    /// The search begins at `start`, which is this container unless it is a parent whose registration is being wrapped.
    @usableFromInline
    func resolve<T>(
        _ type: T.Type, _ request: Request, startingAt start: ContainerCore? = nil
    ) throws(ResolutionError) -> T {
        while let (owner, entry) = (start ?? self).find(request.key) {
            if entry.isMainActor { try checkMainActor(request) }
            switch entry.registration.lifetime {
            case .new:
                return try build(entry, request)
            case .shared, .weak:
                if let instance: T = try owner.kept(entry, request) { return instance }
            case .scoped:
                if let instance: T = try kept(owner === self ? entry : local(for: entry), request) { return instance }
            case .alias, .inherited:
                if let instance: T = try forward(entry, of: owner, request) { return instance }
            }
            // The registration was replaced meanwhile: ask again.
        }
        if start == nil, let synthesized = type as? any Synthesized.Type {
            return try synthesize(synthesized, request)
        }
        throw ResolutionError(request, .notRegistered, in: self)
    }

    private func synthesize<S: Synthesized, T>(_ type: S.Type, _ request: Request) throws(ResolutionError) -> T {
        identityCast(try S.synthesize(in: self, request), to: T.self)
    }

    /// Resolves every registration of a type, in the order of registration, a child's before its parent's.
    func resolveAll<T>(_ type: T.Type, _ site: CallSite) throws(ResolutionError) -> [T] {
        var instances: [T] = []
        for registration in visibleRegistrations where registration.key.type == ObjectIdentifier(type) {
            instances.append(try resolve(type, Request(type, key: registration.key, [], site)))
        }
        return instances
    }

    func checkMainActor(_ request: Request) throws(ResolutionError) {
        if !MainQueue.isCurrent { throw ResolutionError(request, .mainActorRequired, in: self) }
    }

    // MARK: Building

    /// Builds an instance by an entry, here or in a parent, with this container's resolver.
    func build<T>(_ entry: Entry, _ request: Request) throws(ResolutionError) -> T {
        // Sound: an entry found by the key of `T` has a registration of `T`.
        let registration = unsafeDowncast(entry.registration, to: TypedRegistration<T>.self)
        return try running(registration, request, entry) { () throws -> T in
            try decorated(registration.make(Resolver(core: self), request), by: entry)
        }
    }

    /// Wraps an instance by the decorators of an entry.
    func decorated<T>(_ instance: T, by entry: Entry) throws -> T {
        var instance = instance
        for decorator in entry.decorators {
            // Sound: a decorator has the key, and so the type, of what it wraps.
            instance = try unsafeDowncast(decorator, to: DecoratorRegistration<T>.self)
                .decorate(Resolver(core: self), instance)
        }
        return instance
    }

    /// Runs a factory of this container as the innermost step of the thread's path.
    func running<T>(
        _ registration: Registration, _ request: Request, _ entry: Entry, _ factory: () throws -> T
    ) throws(ResolutionError) -> T {
        let thread = ThreadRecord.current
        var frame = Frame(core: .passUnretained(self), registration: .passUnretained(registration))
        let outcome = try withUnsafeMutablePointer(to: &frame) { frame throws(ResolutionError) in
            try Frame.enter(frame, on: thread, request)
            defer { Frame.leave(frame, from: thread) }
            return Result(catching: factory)
        }
        switch outcome {
        case .success(let instance): return instance
        case .failure(is AsyncFactoryError):
            let isDirect = Frame.path.allSatisfy { $0.lifetime == .alias || $0.lifetime == .inherited }
            let build = AsyncBuild(core: self, entry: entry, request: request, isDirect: isDirect)
            throw ResolutionError(request, .asyncRequired, in: self, pending: build)
        case .failure(let error): throw ResolutionError(wrapping: error, request, in: self)
        }
    }

    // MARK: Keeping

    /// The instance of an entry of this container, built if need be; nil if the entry was replaced.
    private func kept<T>(_ entry: Entry, _ request: Request) throws(ResolutionError) -> T? {
        if !request.arguments.isEmpty, entry.registration.signature == ObjectIdentifier(Void.self) {
            throw ResolutionError(wrapping: ArgumentMismatch(request.arguments, entry.registration), request, in: self)
        }
        let isWeak = entry.registration.lifetime == .weak
        if let instance = entry.published(as: T.self) {
            if isWeak || isAbandoned { Frame.keepAlive(instance) }
            return instance
        }
        return try exclusively { () throws(ResolutionError) -> T? in
            guard isCurrent(entry) else { return nil }
            if let instance = entry.published(as: T.self) { return instance }
            let entry = entry.isBuilt ? renewed(entry) : entry
            let instance: T = try build(entry, request)
            if isWeak, !(Swift.type(of: instance as Any) is AnyClass) {
                throw ResolutionError(
                    request, .weakValueType(instance: "\(TypeName(Swift.type(of: instance)))"), in: self)
            }
            if isWeak || isAbandoned { Frame.keepAlive(instance) }
            // The factory itself may have replaced the registration: then its caller gets the instance, and nobody keeps it.
            keep(instance, in: entry, isMainActor: entry.isMainActor, isWeak: isWeak)
            return instance
        }
    }
}
