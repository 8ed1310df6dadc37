/// A read that is under way: what was found, and the thread that announced it.
@usableFromInline struct Reading {
    @usableFromInline let thread: ThreadRecord
    /// The container asked; nil if the default container is yet to be set up.
    let core: Borrowed<ContainerCore>?
    /// The scope that is active, where it is known.
    let scope: ObjectIdentifier?
    @usableFromInline let finding: Finding

    /// The box of the instance that is ready, for the rest of the read.
    @inlinable var box: Borrowed<AnyObject>? {
        if case .ready(let box) = finding { box } else { nil }
    }

    /// Whether the container and its parents have no entry for the key.
    @inlinable var isMissing: Bool {
        if case .missing = finding { true } else { false }
    }
}

extension Resolver {
    /// Announces a read and looks a key up. The caller ends the read once it has copied what it needs.
    @inlinable func beginReading<T>(_ type: T.Type, _ name: RegistrationName?) -> Reading {
        if let name { return beginReading(ObjectIdentifier(type), name) }
        return beginReading(ObjectIdentifier(type))
    }

    @usableFromInline func beginReading(_ type: ObjectIdentifier) -> Reading { read { $0.find(type) } }

    @usableFromInline func beginReading(_ type: ObjectIdentifier, _ name: RegistrationName) -> Reading {
        let key = Key(type, name)
        return read { $0.find(key) }
    }

    @inline(__always) private func read(_ find: (ContainerCore) -> Finding) -> Reading {
        let thread = ThreadRecord.current
        if let own = core.map({ Borrowed($0) }) {
            thread.beginReading()
            return Reading(thread: thread, core: own, scope: nil, finding: own.with(find))
        }
        let (current, scope) = CurrentContainer.beginReading(thread)
        return Reading(
            thread: thread, core: current, scope: scope, finding: current?.with(find) ?? .unbuilt)
    }

    /// The container to ask: its own, or the current one.
    @usableFromInline var container: ContainerCore { core ?? CurrentContainer.core }

    /// Ends a read that found neither an instance to read nor a factory that the caller can call. Calls the factory
    /// behind an alias, or resolves the long way.
    @usableFromInline func resolve<T>(
        _ type: T.Type, _ name: RegistrationName?, _ arguments: [Any], _ file: StaticString, _ line: UInt,
        after reading: Reading?
    ) throws(ResolutionError) -> T {
        if let reading, case .direct(let entry) = reading.finding, arguments.isEmpty,
            entry.with({ !$0.traits.takesArguments })
        {
            let target = entry.with { Borrowed($0.subject) }
            if let core = reading.enter(isHeld: core != nil, file, line) {
                do {
                    let instance = try core.with { core in
                        try target.with { try $0.kind.make(type, Resolver(core: core)) }
                    }
                    reading.thread.pop()
                    return instance
                } catch {
                    let (target, kept) = (target.object, core.object)
                    let failure = reading.error(error, target.type, target.name, file, line)
                    guard let misfit = error as? TypeMismatch else { throw failure }
                    let request = Request(type, name, arguments, file: file, line: line)
                    throw ResolutionError(request, .typeMismatch(instance: misfit.instance), in: kept)
                }
            }
        } else {
            reading?.thread.endReading()
        }
        let request = Request(type, name, arguments, file: file, line: line)
        return try Self.box(for: request, in: core).value(as: type)
    }

    /// Resolves the long way, in the current container if none is given.
    // Not inlined, because the caller would then retain the container.
    @usableFromInline @inline(never) static func box(
        for request: borrowing Request, in core: ContainerCore?
    ) throws(ResolutionError) -> any AnyBox {
        switch core {
        case let core?: try core.box(for: request)
        case nil: try CurrentContainer.core.box(for: request)
        }
    }
}

// MARK: Calling a factory at once

/// Calls the factory of a ``Lifetime/new`` registration at once: without the queue and without boxing arguments.
extension Reading {
    /// Ends the read and makes an instance. If the read found a factory that takes exactly `each Argument`, `call` calls it.
    /// Otherwise the request goes the long way, with its arguments boxed.
    ///
    /// Closures capture the arguments, because each function that takes a pack copies it.
    @inlinable @inline(__always) func make<T, each Argument>(
        _ type: T.Type, for resolver: Resolver, _ name: RegistrationName?, _ file: StaticString, _ line: UInt,
        boxed: () -> [Any],
        call: (Factory<T, repeat each Argument>, Resolver) throws -> T
    ) throws(ResolutionError) -> T {
        // Look first: generic code asks the run time for the type of the factory, which takes long.
        guard case .direct = finding, let factory = direct(Factory<T, repeat each Argument>.self) else {
            return try resolver.resolve(type, name, boxed(), file, line, after: self)
        }
        // The frame keeps the registration and thereby the factory. The resolver or the frame keeps the container.
        defer { withExtendedLifetime(resolver) {} }
        var failure: (any Error)?
        if let core = enter(isHeld: resolver.core != nil, file, line) {
            do {
                let instance = try core.with { core in try factory.with { try call($0, Resolver(core: core)) } }
                thread.pop()
                return instance
            } catch { failure = error }
        }
        throw self.error(failure, type, name, file, line)
    }

    /// Makes the error for a factory that was refused; if the factory failed instead, pops its frame first.
    // Not inlined, because each place that resolves would get a copy.
    @usableFromInline @inline(never) func error(
        _ failure: (any Error)?, _ type: any Any.Type, _ name: RegistrationName?, _ file: StaticString, _ line: UInt
    ) -> ResolutionError {
        let request = Request(type, name, [], file: file, line: line)
        guard let failure, let core = core?.object else { return ResolutionError(refused: request) }
        thread.pop()
        return ResolutionError(wrapping: failure, request, in: core)
    }

    /// The factory that was found, if it is of exactly this type.
    @inlinable @inline(__always) func direct<F: AnyObject>(_ type: F.Type) -> Borrowed<F>? {
        guard case .direct(let entry) = finding, let factory = entry.with({ $0.link }),
            factory.with({ Swift.type(of: $0) == type })
        else { return nil }
        return factory.unsafelyCast(as: type)
    }

    /// Pushes a frame for the factory that was found, and ends the read; nil if the frame was refused.
    @usableFromInline func enter(isHeld: Bool, _ file: StaticString, _ line: UInt) -> Borrowed<ContainerCore>? {
        defer { thread.endReading() }
        guard case .direct(let entry) = finding, let core else { return nil }
        let registration = entry.with { Borrowed($0.subject) }
        let isEntered = thread.enter(
            core, registration, at: CallSite(file: file, line: line), scope: scope, keepsContainer: !isHeld,
            keepsRegistration: true)
        return isEntered ? core : nil
    }
}

/// Boxes the arguments of a request that goes the long way.
@inlinable @inline(never) func boxed<each Argument>(_ arguments: repeat each Argument) -> [Any] {
    var boxed: [Any] = []
    repeat boxed.append(each arguments)
    return boxed
}
