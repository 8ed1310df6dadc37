/// A read that is under way: what was found, and the thread that announced it. It ends by answering the request.
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
        return Reading(thread: thread, core: current, scope: scope, finding: current?.with(find) ?? .slowPath)
    }
}

extension Reading {
    /// Ends the read and answers the request. If the read found a factory that takes exactly `each Argument`, `call` calls it:
    /// without the queue and without boxing arguments. Otherwise the request takes the slow path, with its arguments boxed.
    ///
    /// Closures capture the arguments, because each function that takes a pack copies it.
    @inlinable func resolve<T, each Argument>(
        _ type: T.Type, for resolver: Resolver, _ name: RegistrationName?, _ file: StaticString, _ line: UInt,
        boxed: () -> [Any],
        call: (Factory<T, repeat each Argument>, Resolver) throws -> T
    ) throws(ResolutionError) -> T {
        // Look first: generic code asks the run time for the type of the factory, which takes long.
        guard case .direct(let entry, by: nil) = finding,
            let factory = entry.with({ $0.factory(Factory<T, repeat each Argument>.self) }),
            let core = enterFactory(of: entry, isHeld: resolver.core != nil, file, line)
        else {
            return try resolveSlowly(type, for: resolver, name, boxed(), file, line)
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

    /// Ends a read that found neither an instance to read nor a factory that the caller can call. Calls the factory
    /// behind an alias, or has the container answer.
    @usableFromInline func resolveSlowly<T>(
        _ type: T.Type, for resolver: Resolver, _ name: RegistrationName?, _ arguments: [Any], _ file: StaticString,
        _ line: UInt
    ) throws(ResolutionError) -> T {
        guard case .direct(let entry, let alias?) = finding, arguments.isEmpty,
            case let target = entry.with({ $0.registration }), !target.takesArguments,
            case .factory(let factory) = target.kind,
            let core = enterFactory(of: entry, by: alias, isHeld: resolver.core != nil, file, line)
        else {
            thread.endReading()
            return try resolver.askContainer(type, name, arguments, file, line)
        }
        defer { thread.pop() }
        do {
            let instance = try core.with { try factory.make(Resolver(core: $0), as: type) }
            thread.pop()
            return instance
        } catch {
            // What the target makes is not of the type of the alias, or its factory has failed.
            let failed = error is TypeMismatch ? Label(type, name) : target.label
            throw failure(error, in: core, failed.type, failed.name, file, line)
        }
    }

    /// Ends the read inside a new frame for the entry that was found, and one around it for the alias, if any. Returns nil, and
    /// goes on reading, if a frame was refused: the slow path makes the error.
    @usableFromInline func enterFactory(
        of entry: Borrowed<Entry>, by alias: Borrowed<Entry>? = nil, isHeld: Bool, _ file: StaticString, _ line: UInt
    ) -> Borrowed<ContainerCore>? {
        if let alias, !pushFrame(of: alias, isHeld, file, line) { return nil }
        guard pushFrame(of: entry, isHeld, file, line) else {
            if alias != nil { thread.pop() }
            return nil
        }
        thread.endReading()
        return core
    }

    private func pushFrame(of entry: Borrowed<Entry>, _ isHeld: Bool, _ file: StaticString, _ line: UInt) -> Bool {
        guard let core else { return false }
        let keepsContainer = !isHeld && thread.innermostFrame?.core != core
        let registration = entry.with { Borrowed($0.registration) }
        let frame = Frame(core, registration, scope: scope, keepsContainer: keepsContainer)
        return thread.pushUnlessCycle(frame, at: CallSite(file: file, line: line))
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

extension Resolver {
    /// The container to ask: its own, or the current one.
    var container: ContainerCore { core ?? CurrentContainer.core }

    /// Has the container answer.
    @usableFromInline func askContainer<T>(
        _ type: T.Type, _ name: RegistrationName?, _ arguments: [Any], _ file: StaticString, _ line: UInt
    ) throws(ResolutionError) -> T {
        let request = Request(type, name, arguments, file: file, line: line)
        return try container.box(for: request).value(as: type)
    }
}

/// Boxes the arguments of a request that takes the slow path.
@usableFromInline func boxed<each Argument>(_ arguments: repeat each Argument) -> [Any] {
    var boxed: [Any] = []
    repeat boxed.append(each arguments)
    return boxed
}
