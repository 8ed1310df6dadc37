extension DIContainer {
    /// Diagnoses a parent as an argument: a parent makes its children.
    @available(*, unavailable, message: "a parent makes its children: 'parent.makeChild { … }'")
    public convenience init(parent: DIContainer) { fatalError() }

    /// Makes a container that looks up its own registrations first, then this one's.
    ///
    /// ```swift
    /// let request = app.makeChild { Shared(UserSession(user: user) as Session) }
    /// let handler: Handler = request.resolve()
    /// ```
    /// A ``Shared`` belongs to the container it was registered in, and sees nothing of a child; a ``Scoped`` is the
    /// child's own; a ``New`` is built with the child's resolver. This container does not notice what the child
    /// registers, overrides and decorates, and never waits for the child. The child keeps this container, but
    /// this container does not keep the child. If this container replaces a registration, the child notices at its next
    /// request for it, and then lets go of what it built from the old one. May be called on any thread.
    /// Stops the program if this container is closed.
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

    /// Makes a copy that has all registrations and no instances, and shares nothing with this container afterwards.
    ///
    /// ```swift
    /// let variant = container.fork { Shared(MemoryStore() as Store) }
    /// ```
    /// What was built before is built again in the copy, so that nothing there holds on to what the copy overrides. A
    /// child's fork has the registrations of its parents as its own. A sealed container's fork is not sealed. May be
    /// called on any thread. It takes time in proportion to the number of registrations.
    public func fork(@RegistrationBuilder _ registrations: () -> [Registration] = { [] }) -> DIContainer {
        Self.fork(of: core, registrations)
    }

    static func fork(of core: ContainerCore, _ registrations: () -> [Registration]) -> DIContainer {
        let fork = DIContainer(core: core.forked())
        fork.core.registerInitially(registrations())
        return fork
    }
}
