// Calling the factory of a `New` registration at once: without the queue and without boxing arguments.

extension Reading {
    /// Ends the read and makes an instance. If the read found a factory that takes exactly `each Argument`, `call` calls it.
    /// Otherwise the request takes the slow path, with its arguments boxed.
    ///
    /// Closures capture the arguments, because each function that takes a pack copies it.
    @inlinable func make<T, each Argument>(
        _ type: T.Type, for resolver: Resolver, _ name: RegistrationName?, _ file: StaticString, _ line: UInt,
        boxed: () -> [Any],
        call: (Factory<T, repeat each Argument>, Resolver) throws -> T
    ) throws(ResolutionError) -> T {
        // Look first: generic code asks the run time for the type of the factory, which takes long.
        guard case .direct(let entry) = finding,
            let factory = entry.with({ $0.factory(Factory<T, repeat each Argument>.self) }),
            let core = enter(entry, isHeld: resolver.core != nil, file, line)
        else {
            return try resolver.resolveSlowly(type, name, boxed(), file, line, after: self)
        }
        // The frame keeps the registration and thereby the factory. The resolver or the frame keeps the container.
        defer { withExtendedLifetime(resolver) {} }
        do {
            let instance = try core.with { core in try factory.with { try call($0, Resolver(core: core)) } }
            thread.pop()
            return instance
        } catch {
            throw failure(error, in: core, type, name, file, line)
        }
    }

    /// Calls the factory of the entry that was found, as the type of an alias, in the frame that ``enter(_:isHeld:_:_:)`` has
    /// pushed.
    func call<T>(
        _ entry: Borrowed<Entry>, as type: T.Type, in core: Borrowed<ContainerCore>, _ name: RegistrationName?,
        _ file: StaticString, _ line: UInt
    ) throws(ResolutionError) -> T {
        // The frame keeps the registration.
        let target = entry.with { Borrowed($0.subject) }
        do {
            let instance = try core.with { core in
                try target.with { try $0.callFactory(Resolver(core: core), as: type) }
            }
            thread.pop()
            return instance
        } catch {
            // What the target makes is not of the type of the alias, or its factory has failed.
            let failed = target.with { error is TypeMismatch ? (type, name) : ($0.type, $0.name) }
            throw failure(error, in: core, failed.0, failed.1, file, line)
        }
    }

    /// Pushes a frame for the entry that was found, and ends the read. Returns nil, and goes on reading, if the frame was
    /// refused: the slow path makes the error.
    @usableFromInline func enter(
        _ entry: Borrowed<Entry>, isHeld: Bool, _ file: StaticString, _ line: UInt
    ) -> Borrowed<ContainerCore>? {
        guard let core else { return nil }
        let registration = entry.with { Borrowed($0.subject) }
        let refusal = thread.enter(
            core, registration, at: CallSite(file: file, line: line), scope: scope, keepsContainer: !isHeld,
            keepsRegistration: true)
        if refusal != nil { return nil }
        thread.endReading()
        return core
    }

    /// Pops the frame of a factory that failed, and makes the error.
    @usableFromInline func failure(
        _ error: any Error, in core: Borrowed<ContainerCore>, _ type: any Any.Type, _ name: RegistrationName?,
        _ file: StaticString, _ line: UInt
    ) -> ResolutionError {
        // The frame may keep the container.
        let kept = core.object
        thread.pop()
        let request = Request(type, name, [], file: file, line: line)
        return ResolutionError(wrapping: error, request, in: kept)
    }
}
