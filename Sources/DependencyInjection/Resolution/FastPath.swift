// The fast path: reads that take no lock. A borrowed reference is valid until the end of the read.
//
// The fast path reads a cached instance, under its own key or under an alias, and finds the factory of a ``New``. The
// slow path resolves every other request.

/// The result of a lookup on the fast path.
@usableFromInline enum LookupResult {
    /// The instance is built, and this thread may read it.
    case instance(UnretainedReference<AnyObject>)
    /// The caller may run the factory of this entry, which was found directly or by an alias.
    case factory(of: UnretainedReference<Entry>, alias: UnretainedReference<Entry>?)
    case slowPath
    /// Nothing is registered for the key.
    case missing
}

extension ContainerCore {
    /// Looks up a type without a name.
    func lookUp(_ type: ObjectIdentifier) -> LookupResult {
        // Without a name, the word is unique, as ``Key/word`` explains.
        lookUp(UInt(bitPattern: type), Key(type, nil).identity, where: { _ in true })
    }

    /// Looks up a type with a name.
    func lookUp(_ key: Key) -> LookupResult {
        lookUp(key.word, key.identity, where: { key.isKey(of: $0) })
    }

    @inline(__always) private func lookUp(
        _ word: UInt, _ identity: UInt64, where matches: (Slot) -> Bool
    ) -> LookupResult {
        switch search(word, where: matches) {
        case .instance(let instance): instance.with { $0.lockFreeBox.map { .instance($0) } ?? .slowPath }
        case .entry(let entry, let instance): follow(entry, instance, as: identity)
        case .slowPath: .slowPath
        case nil: .missing
        }
    }

    private enum SearchResult {
        /// An instance that any thread may read.
        case instance(UnretainedReference<Instance>)
        /// An entry, and the instance in the requesting container's slot of the key.
        case entry(UnretainedReference<Entry>, requestersInstance: UnretainedReference<Instance>?)
        case slowPath
    }

    /// Searches for an instance that any thread may read, or else for an entry, in this container and its parents.
    private func search(_ word: UInt, where matches: (Slot) -> Bool) -> SearchResult? {
        if readGate.contains(.instances) { return .slowPath }
        let own = table.find(word, where: matches)
        let ownInstance = own?.instance
        if let ownInstance, ownInstance.with({ $0.lockFreeBox != nil }) { return .instance(ownInstance) }
        if let entry = own?.entry { return .entry(entry, requestersInstance: ownInstance) }
        var next = borrowedParent
        while let core = next {
            if core.with({ $0.readGate.contains(.instances) }) { return .slowPath }
            if let slot = core.with({ $0.table.find(word, where: matches) }) {
                if let instance = slot.instance,
                    instance.with({ $0.lockFreeBox != nil && $0.entry.cacheLocation == .owner })
                {
                    return .instance(instance)
                }
                if let entry = slot.entry { return .entry(entry, requestersInstance: ownInstance) }
            }
            next = core.with { $0.borrowedParent }
        }
        return nil
    }

    /// Returns the instance or the factory of an entry, which is found directly or as the target of an alias.
    private func follow(
        _ entry: UnretainedReference<Entry>, _ requestersInstance: UnretainedReference<Instance>?, as identity: UInt64
    ) -> LookupResult {
        guard let target = entry.with({ $0.aliasTarget }) else {
            return result(of: entry, requestersInstance) { instance in instance.with { $0.lockFreeBoxIfCurrent } }
        }
        let isDecorated = entry.with { $0.isDecorated }
        if isDecorated, entry.with({ $0.isMainActor }) { return .slowPath }
        func box(of instance: UnretainedReference<Instance>) -> UnretainedReference<AnyObject>? {
            instance.with { isDecorated ? $0.box(forDecorated: entry) : $0.box(forAliasWith: identity) }
        }
        switch target.with({ target in search(target.key.word) { target.key.isKey(of: $0) } }) {
        case .instance(let instance): return box(of: instance).map { .instance($0) } ?? .slowPath
        case .entry(let target, let requestersInstance):
            let result = result(of: target, requestersInstance) { instance in
                instance.with { $0.lockFreeBoxIfCurrent } == nil ? nil : box(of: instance)
            }
            guard case .factory = result else { return result }
            return isDecorated ? .slowPath : .factory(of: target, alias: entry)
        case .slowPath, nil: return .slowPath
        }
    }

    /// Returns the instance or the factory of an entry that isn't an alias.
    private func result(
        of entry: UnretainedReference<Entry>, _ requestersInstance: UnretainedReference<Instance>?,
        _ box: (UnretainedReference<Instance>) -> UnretainedReference<AnyObject>?
    ) -> LookupResult {
        let instance: UnretainedReference<Instance>?
        switch entry.with({ $0.cacheLocation }) {
        case .uncached:
            let isDirect = !readGate.contains(.observedBuilds) && entry.with { $0.directFactory != nil }
            return isDirect ? .factory(of: entry, alias: nil) : .slowPath
        case .requester:
            instance = requestersInstance.flatMap { instance in
                instance.with { UnretainedReference($0.entry) } == entry ? instance : nil
            }
        case .graph: instance = entry.with { GraphScope.member(of: $0, builtBy: self) }
        // The search has already found any readable instance. A second alias has no cache of its own, nor has an entry
        // that only decorates.
        case .owner, nil: return .slowPath
        }
        return instance.flatMap(box).map { .instance($0) } ?? .slowPath
    }
}

// MARK: Reads

/// A read in progress, with its result and the thread that announced it. Resolving the request ends the read.
@usableFromInline struct Reading {
    @usableFromInline let thread: ThreadRecord
    /// The container that resolves the request, or `nil` if the default container isn't set up yet.
    let core: UnretainedReference<ContainerCore>?
    /// The active scope, if it is known.
    let scope: ObjectIdentifier?
    @usableFromInline let result: LookupResult

    /// The box of the cached instance, valid for the rest of the read.
    @inlinable var box: UnretainedReference<AnyObject>? {
        if case .instance(let box) = result { box } else { nil }
    }

    /// Whether the container and its parents have no entry for the key.
    @inlinable var isMissing: Bool {
        if case .missing = result { true } else { false }
    }
}

extension Resolver {
    /// Announces a read and looks a key up. The caller ends the read once it has copied what it needs.
    @inlinable @inline(__always) func beginReading<T>(_ type: T.Type, _ name: RegistrationName?) -> Reading {
        if let name { return beginReading(ObjectIdentifier(type), name) }
        return beginReading(ObjectIdentifier(type))
    }

    @usableFromInline func beginReading(_ type: ObjectIdentifier) -> Reading { read { $0.lookUp(type) } }

    @usableFromInline func beginReading(_ type: ObjectIdentifier, _ name: RegistrationName) -> Reading {
        let key = Key(type, name)
        return read { $0.lookUp(key) }
    }

    @inline(__always) private func read(_ find: (ContainerCore) -> LookupResult) -> Reading {
        let thread = ThreadRecord.current
        if let own = core.map({ UnretainedReference($0) }) {
            thread.beginReading()
            return Reading(thread: thread, core: own, scope: nil, result: own.with(find))
        }
        let current = CurrentContainer.beginReading(thread)
        return Reading(
            thread: thread, core: current.core, scope: current.scope, result: current.core?.with(find) ?? .slowPath)
    }
}

extension Reading {
    /// Ends the read and resolves the request. If the read found a factory that takes exactly `each Argument`, calls it
    /// with `call`, without the queue and without boxing arguments. Otherwise the request takes the slow path, with its
    /// arguments boxed.
    ///
    /// Closures capture the arguments, because each function that takes a parameter pack copies it.
    @inlinable func resolve<T, each Argument>(
        _ type: T.Type, for resolver: Resolver, _ name: RegistrationName?, _ file: StaticString, _ line: UInt,
        boxed: () -> [Any],
        call: (Factory<T, repeat each Argument>, Resolver) throws -> T
    ) throws(ResolutionError) -> T {
        // The result is checked first, because generic code looks up the metadata of the factory's type at run time,
        // which is slow.
        guard case .factory(let entry, alias: nil) = result,
            let factory = entry.with({ $0.factory(Factory<T, repeat each Argument>.self) }),
            let core = enterFactory(of: entry, retainsContainer: resolver.core == nil, file, line)
        else {
            return try resolveSlowly(type, for: resolver, name, boxed(), file, line)
        }
        // The frame retains the registration and its factory. The resolver or the frame retains the container.
        defer { withExtendedLifetime(resolver) {} }
        do {
            let instance = try core.with { core in try factory.with { try call($0, Resolver(core: core)) } }
            thread.pop()
            return instance
        } catch {
            throw failure(error, in: core, type, name, file, line)
        }
    }

    /// Ends a read that found neither a readable instance nor a factory that the caller can call. Calls the factory
    /// behind an alias, or resolves from the container.
    @usableFromInline func resolveSlowly<T>(
        _ type: T.Type, for resolver: Resolver, _ name: RegistrationName?, _ arguments: [Any], _ file: StaticString,
        _ line: UInt
    ) throws(ResolutionError) -> T {
        guard case .factory(let entry, let alias?) = result, arguments.isEmpty,
            case let target = entry.with({ $0.registration }), !target.takesArguments,
            case .factory(let factory) = target.kind,
            let core = enterFactory(of: entry, by: alias, retainsContainer: resolver.core == nil, file, line)
        else {
            thread.endReading()
            return try resolver.resolveFromContainer(type, name, arguments, file, line)
        }
        defer { thread.pop() }
        do {
            let instance = try core.with { try factory.make(Resolver(core: $0), as: type) }
            thread.pop()
            return instance
        } catch {
            // The target's instance isn't of the type of the alias, or the target's factory has failed.
            let failed = error is TypeMismatch ? DependencyID(type, name) : target.id
            throw failure(error, in: core, failed.type, failed.name, file, line)
        }
    }

    /// Pushes a frame for the found entry, inside a frame for the alias, if any, and ends the read. Returns `nil` and
    /// continues the read if a frame was refused, so that the slow path can create the error.
    ///
    /// - Parameter retainsContainer: Whether the frame retains the container, because the resolver doesn't. An enclosing
    /// frame of the same container suffices.
    @usableFromInline func enterFactory(
        of entry: UnretainedReference<Entry>, by alias: UnretainedReference<Entry>? = nil,
        retainsContainer: Bool, _ file: StaticString, _ line: UInt
    ) -> UnretainedReference<ContainerCore>? {
        if let alias, !pushFrame(of: alias, retainsContainer: retainsContainer, file, line) { return nil }
        guard pushFrame(of: entry, retainsContainer: retainsContainer, file, line) else {
            if alias != nil { thread.pop() }
            return nil
        }
        thread.endReading()
        return core
    }

    private func pushFrame(
        of entry: UnretainedReference<Entry>, retainsContainer: Bool, _ file: StaticString, _ line: UInt
    ) -> Bool {
        guard let core else { return false }
        // The enclosing frame of the same container retains it. Threads that share a container would compete for its
        // reference count.
        let retainsContainer = retainsContainer && thread.innermostFrame?.core != core
        let registration = entry.with { UnretainedReference($0.registration) }
        let frame = FactoryFrame(core, registration, scope: scope, retainsContainer: retainsContainer)
        return thread.pushUnlessCycle(frame, at: CallSite(file: file, line: line))
    }

    /// Pops the frame of a factory that failed, and returns the error.
    @usableFromInline func failure(
        _ error: any Error, in core: UnretainedReference<ContainerCore>, _ type: any Any.Type,
        _ name: RegistrationName?, _ file: StaticString, _ line: UInt
    ) -> ResolutionError {
        // The frame may hold the only reference to the container.
        let retained = core.object
        thread.pop()
        let request = Request(type, name, [], file: file, line: line)
        return ResolutionError(wrapping: error, request, in: retained)
    }
}
