/// A read that is under way: what was found, and the thread that announced it.
@usableFromInline
struct Reading {
    @usableFromInline let thread: ThreadRecord
    /// The container asked; nil if the default container is yet to be set up.
    let core: Borrowed<ContainerCore>?
    /// The scope that is active, where it is known.
    let scope: ObjectIdentifier?
    @usableFromInline let finding: Finding

    /// The box of the instance that is ready, for the rest of the read.
    @inlinable
    var box: Borrowed<AnyObject>? {
        if case .ready(let box) = finding { box } else { nil }
    }

    /// Whether the container and its parents have no entry for the key.
    @inlinable
    var isMissing: Bool {
        if case .missing = finding { true } else { false }
    }
}

extension Resolver {
    /// Announces a read and looks a key up. The caller ends the read once it has copied what it needs.
    @inlinable
    func beginReading<T>(_ type: T.Type, _ name: RegistrationName?) -> Reading {
        if let name { return beginReading(ObjectIdentifier(type), name) }
        return beginReading(ObjectIdentifier(type))
    }

    @usableFromInline
    func beginReading(_ type: ObjectIdentifier) -> Reading { read { $0.find(type) } }

    @usableFromInline
    func beginReading(_ type: ObjectIdentifier, _ name: RegistrationName) -> Reading {
        let key = Key(type, name)
        return read { $0.find(key) }
    }

    @inline(__always)
    private func read(_ find: (ContainerCore) -> Finding) -> Reading {
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

    /// Ends a read after which the caller can neither read nor call anything, and resolves the long way.
    @usableFromInline
    func resolve<T>(_ type: T.Type, _ request: Request, after reading: Reading?) throws(ResolutionError) -> T {
        if let reading, case .aliased(let alias) = reading.finding {
            do { return try reading.make(type, request, alias, isHeld: core != nil) } catch {
                if !(error is LongWayRequired) { throw ResolutionError(wrapping: error, request, in: container) }
            }
        } else {
            reading?.thread.endReading()
        }
        return try (core ?? CurrentContainer.core).box(for: request).value(as: type)
    }
}

// MARK: Calling a factory at once

/// Calling the factory of a ``Lifetime/new`` registration at once: without the queue and without boxing arguments.
extension Reading {
    /// Ends the read and makes an instance. If the read found a factory that takes exactly `each Argument`, `call` calls it.
    /// Otherwise the request goes the long way, with its arguments boxed.
    ///
    /// The arguments are captured by closures, because each function that takes a pack copies it.
    @inlinable @inline(__always)
    func make<T, each Argument>(
        _ type: T.Type, for resolver: Resolver, _ name: RegistrationName?, _ file: StaticString, _ line: UInt,
        boxed: () -> [Any],
        call: (Factory<T, repeat each Argument>, Resolver) throws -> T
    ) throws(ResolutionError) -> T {
        // Look first: generic code asks the run time for the type of the factory, which takes long.
        guard case .direct = finding, let factory = direct(Factory<T, repeat each Argument>.self) else {
            return try resolver.resolve(type, Request(type, name, boxed(), file: file, line: line), after: self)
        }
        guard let core = enter(isHeld: resolver.core != nil) else {
            throw ResolutionError(refused: Request(type, name, [], file: file, line: line))
        }
        // The frame keeps the registration and thereby the factory. The resolver or the frame keeps the container.
        defer { withExtendedLifetime(resolver) {} }
        let failure: any Error
        do {
            let instance = try core.with { core in try factory.with { try call($0, Resolver(core: core)) } }
            thread.pop()
            return instance
        } catch { failure = error }
        let kept = core.object
        thread.pop()
        throw ResolutionError(wrapping: failure, Request(type, name, [], file: file, line: line), in: kept)
    }

    /// The factory that was found, if it is of exactly this type.
    @inlinable @inline(__always)
    func direct<F: AnyObject>(_ type: F.Type) -> Borrowed<F>? {
        guard case .direct(let entry) = finding, let factory = entry.with({ $0.link }),
            factory.with({ Swift.type(of: $0) == type })
        else { return nil }
        return factory.trusted(as: type)
    }

    /// Pushes a frame for the factory that was found, and ends the read; nil if the frame was refused.
    @usableFromInline
    func enter(isHeld: Bool) -> Borrowed<ContainerCore>? {
        defer { thread.endReading() }
        guard case .direct(let entry) = finding, let core else { return nil }
        let registration = entry.with { Borrowed($0.subject) }
        return thread.enter(core, registration, scope: scope, isHeld: isHeld) ? core : nil
    }
}

extension Reading {
    /// Ends the read, calls the factory behind an alias and converts what it returns.
    fileprivate func make<T>(
        _ type: T.Type, _ request: Request, _ alias: Borrowed<Entry>, isHeld: Bool
    ) throws -> T {
        guard let core, let target = core.with({ $0.directTarget(of: alias) })?.with({ $0.subject }),
            case .factory(let factory) = target.kind, !target.takesArguments, request.arguments.isEmpty,
            thread.enter(core, alias.with { Borrowed($0.subject) }, scope: scope, isHeld: isHeld)
        else {
            thread.endReading()
            throw LongWayRequired()
        }
        thread.endReading()
        defer { thread.pop() }
        guard thread.enter(core, Borrowed(target), scope: scope, isHeld: true) else { throw LongWayRequired() }
        let failure: any Error
        do {
            let instance = try core.with { try factory.make(Resolver(core: $0), as: type) }
            thread.pop()
            return instance
        } catch { failure = error }
        thread.pop()
        if failure is LongWayRequired { throw failure }
        throw ResolutionError(wrapping: failure, request.forwarded(to: target.type, target.key), in: core.object)
    }
}

/// Boxes the arguments of a request that goes the long way.
@inlinable @inline(never)
func boxed<each Argument>(_ arguments: repeat each Argument) -> [Any] {
    var boxed: [Any] = []
    repeat boxed.append(each arguments)
    return boxed
}
