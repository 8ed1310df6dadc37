extension DIContainer {
    /// Builds everything that is registered with `async:` and kept, so that plain requests for it work afterwards.
    ///
    /// ```swift
    /// try await container.prepare()
    /// let database: Database = container.resolve()
    /// ```
    /// That is every `Shared(async:)` that this container can be asked for, its own or a parent's, except those whose factory takes
    /// arguments. What it overrides of a parent is left to ``DIContainer/prepare(file:line:)`` of the parent. Every
    /// `Scoped(async:)` is built, too, if this container has a parent, or is a fork of one that has: a container without a
    /// parent would keep, say, a connection that is meant for its children. Factories that do not need one another run at the
    /// same time; one that asks for another with `try await resolve.async()` waits for it. May be called in any task, more than
    /// once.
    /// - Throws: A ``PreparationError`` with every failure, or a `CancellationError` if the task is cancelled. What was built
    ///   stays; what failed is built again by the next who asks.
    public func prepare(file: StaticString = #fileID, line: UInt = #line) async throws {
        let site = CallSite(file: file, line: line)
        try core.checkOpen(Request(toContainerAt: site))
        try await core.build(core.preparable, at: site)
    }

    /// Builds what a block registers, and then registers it together with its instances.
    ///
    /// ```swift
    /// try await container.prepare { Shared(async: { _ in try await Configuration.load() }) }
    /// ```
    /// This renews what is asynchronous without a gap. After ``register-swift.property`` instead, a plain request would fail until
    /// somebody prepares. Here all who ask get the old instance until the new one takes its place, and what was built of the old
    /// one stays as it is.
    ///
    /// The block may hold anything that is registered. Built is each `Shared`, `async:` or not, and in a container that has a
    /// parent each `Scoped`; those that need one another get the new ones, as does what is a ``New`` anywhere. Everything else that
    /// they ask for is the container's own: what it has built, or builds and keeps now by its own registrations, which know nothing
    /// of the block. What the container decorates is decorated. A type that the block decorates and does not register is built
    /// anew, if the container itself has it registered. The rest is only registered: aliases, what takes arguments, and what a
    /// plain factory makes on the main actor. The resolvers and providers that the factories were given then ask the container.
    ///
    /// If a build fails, if the container is sealed meanwhile, or if the task is cancelled, nothing changes. If one of the types is
    /// decorated meanwhile, its builds are done again. May be called in any task, and at the same time in several: the last to
    /// finish wins. It does not prepare what else the container has.
    ///
    /// - Throws: A ``PreparationError`` with every failure; a ``ResolutionError`` with the reason `sealed`, before anything is built
    ///   if the container is sealed by then; or a `CancellationError`.
    public func prepare(
        file: StaticString = #fileID, line: UInt = #line, @RegistrationBuilder _ registrations: () -> [Registration]
    ) async throws {
        let site = CallSite(file: file, line: line)
        let registrations = registrations()
        guard let first = registrations.first else { return }
        let core = core.overlaid ?? core
        if let error = core.changeRefusal(Request(for: first, [], at: site)) { throw error }
        var isRegistered = false
        while !isRegistered {
            let overlay = ContainerCore(overlaying: core, with: registrations)
            do {
                let all = overlay.preparableInOverlay
                // A plain factory may ask plainly for what only `await` can build.
                try await overlay.build(all.filter(\.isAsync), at: site)
                try await overlay.build(all.filter { !$0.isAsync }, at: site)
                isRegistered = try core.takeOver(overlay, with: registrations, site)
            } catch {
                await overlay.discard(after: error, at: site)
                throw error
            }
            if !isRegistered { await overlay.discard(after: nil, at: site) }
        }
    }
}

extension ContainerCore {
    /// Builds registrations at the same time, where these do not wait for one another, and throws what failed of them.
    fileprivate func build(_ registrations: [Registration], at site: CallSite) async throws {
        let failures = await withTaskGroup(of: ResolutionError?.self) { group in
            for registration in registrations {
                group.addTask { await self.preparationFailure(of: registration, at: site) }
            }
            var failures: [ResolutionError] = []
            for await case let failure? in group { failures.append(failure) }
            return failures
        }
        try Task.checkCancellation()
        if let error = PreparationError(failures) { throw error }
    }

    /// Builds what is registered, with all that it needs and awaits, and returns what failed.
    private func preparationFailure(of registration: Registration, at site: CallSite) async -> ResolutionError? {
        let request = Request(for: registration, [], at: site)
        do {
            if registration.isAsync { try await prepare(request) } else { _ = try await awaitedBox(for: request) }
            return nil
        } catch {
            let error = ResolutionError(wrapping: error, request, in: self)
            // A registration of the main actor has been built by then, and was only not handed out.
            return error.reason == .mainActorRequired && error.isAbout(registration) ? nil : error
        }
    }

    /// What can be built ahead.
    fileprivate var preparable: [Registration] {
        visibleEntries().map(\.subject).filter {
            $0.isAsync && !$0.takesArguments && ($0.lifetime == .shared || $0.lifetime == .scoped && preparesScoped)
        }
    }
}
