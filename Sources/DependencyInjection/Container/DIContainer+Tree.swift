extension DIContainer {
    /// Creates a child, which looks up its own registrations first, then the registrations of this container.
    ///
    /// ```swift
    /// let request = app.makeChild { Shared(UserSession(user: user) as Session) }
    /// let handler: Handler = request.resolve()
    /// ```
    /// - A ``Shared`` instance belongs to the container of its registration, and never depends on a child.
    /// - A ``Scoped`` instance belongs to the child.
    /// - A ``New`` instance is built with the child's resolver.
    ///
    /// Registrations, overrides and decorators of the child don't affect this container, which never waits for the
    /// child. The child retains this container, but this container doesn't retain the child. If this container replaces
    /// a registration, the child's next request for the type releases the instance that the child built from the old
    /// registration. Can be called on any thread. Stops the program if this container is closed.
    public func makeChild(
        @RegistrationBuilder _ registrations: () -> [Registration] = { [] }, file: StaticString = #fileID,
        line: UInt = #line
    ) -> DIContainer {
        let site = CallSite(file: file, line: line)
        do { return try makeOpenChild(registrations, at: site) } catch { core.stopProgram(error, at: site) }
    }

    /// Creates a child.
    ///
    /// - Throws: A ``ResolutionError`` if this container is closing or closed.
    func makeOpenChild(
        _ registrations: () -> [Registration], at site: CallSite
    ) throws(ResolutionError) -> DIContainer {
        if core.isClosingOrClosed { try core.checkOpen(Request(toContainerAt: site)) }
        let child = DIContainer(core: ContainerCore(parent: core), parent: self)
        child.core.registerInitially(registrations())
        return child
    }

    /// Creates a copy with all registrations and no instances, which shares nothing with this container afterwards.
    ///
    /// ```swift
    /// let variant = container.fork { Shared(MemoryStore() as Store) }
    /// ```
    /// All instances are rebuilt in the copy, so that none of them depends on a registration that the copy overrides.
    /// The fork of a child owns copies of the parents' registrations. The fork of a sealed container isn't sealed. Can
    /// be called on any thread, and never waits for a factory. The cost is proportional to the number of registrations.
    public func fork(@RegistrationBuilder _ registrations: () -> [Registration] = { [] }) -> DIContainer {
        Self.fork(of: core, registrations)
    }

    static func fork(of core: ContainerCore, _ registrations: () -> [Registration]) -> DIContainer {
        let fork = DIContainer(core: core.makeFork())
        fork.core.registerInitially(registrations())
        return fork
    }
}

// Forks, and copies of a container with its parents.

extension ContainerCore {
    /// Creates a container without a parent, with all registrations visible here and no instances.
    package func makeFork() -> ContainerCore {
        let fork: ContainerCore
        if parent == nil {
            fork = copy(under: nil)
        } else {
            // Each copy follows the previous one in the order of registration.
            let entries = visibleEntries(isConsistent: true).map { $0.copy() }
            fork = ContainerCore(copyOf: self)
            var retired = DeferredRelease()
            fork.table.reserve(entries.count, retiring: &retired)
            for entry in entries { fork.put(entry, entry.key, &retired) }
        }
        for observer in selfAndParents.reversed().flatMap({ $0.observers.withLock { $0 } }) where observer.isTest {
            fork.add(observer)
        }
        return fork
    }

    /// Creates a container with the registrations of this one, another parent, and no instances.
    package func copy(under parent: ContainerCore?) -> ContainerCore {
        let contents = changes.withLock { _ in ThreadRecord.reading { table.copiedEntries() } }
        return ContainerCore(parent: parent, contents: contents, copyOf: self)
    }
}
