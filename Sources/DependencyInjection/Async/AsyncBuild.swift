internal import Synchronization

/// An asynchronous build: the entry, the container that it is built for, and the request.
///
/// Only an awaited request has arguments here.
///
/// Unchecked because of the arguments, but ``Resolver/async(_:name:arguments:file:line:)`` takes only `Sendable` ones.
package final class AsyncBuild: @unchecked Sendable {
    /// The identity of a build. It changes with the entry, with the container, and when all instances are released.
    struct ID: Equatable {
        let core: ObjectIdentifier
        let entry: UInt
        let resetCount: Int
    }

    let core: ContainerCore
    let entry: Entry
    /// The container that owns the entry.
    let owner: ContainerCore
    let request: Request
    let id: ID

    /// Creates a build, or returns `nil` if the build can't be started ahead of a plain request. Only a build of a
    /// cached registration without arguments can be started ahead.
    init?(_ entry: Entry, of owner: ContainerCore, for core: ContainerCore, _ request: Request) {
        guard request.isAwaited || entry.cacheLocation != .uncached && request.arguments.isEmpty
        else { return nil }
        self.core = core
        self.entry = entry
        self.owner = owner
        self.request = request
        id = ID(
            core: ObjectIdentifier(core), entry: entry.id,
            resetCount: core.resetCount.load(ordering: .relaxed))
    }

    /// Whether a request may wait for this build and then be resolved. A dependency of a plain factory is built ahead
    /// only once.
    func canBeAwaited(after last: ID?) -> Bool { request.isAwaited || id != last }

    /// The current instance in the cache.
    var cachedInstance: Instance? { core.state(of: entry, ownedBy: owner).instance }

    /// Waits for the build, and retains its result until the request completes.
    ///
    /// The request receives the result even if its container is closed or released before the build ends.
    func awaitResult() async throws {
        let box = try await AsyncBuilds.shared.wait(for: self)
        _ = GraphScope.current?.add(Instance(memberWith: box, of: entry, builtBy: core))
    }

    /// Throws if the arguments don't match, so that a request that joins the build never receives the error of another
    /// request.
    func checkArguments() throws {
        do { try ArgumentList(request.arguments, expected: entry.registration.argumentTypes).check() } catch {
            throw ResolutionError(wrapping: error, request, in: core, by: entry.registration)
        }
    }

    // MARK: Running

    /// Runs the factory off every actor, and caches the instance.
    ///
    /// - Parameter isCached: Whether the container caches it.
    @concurrent func runFactoryAndCache(isCached: Bool) async throws -> any AnyBox {
        let product = try await runFactory(isClosable: isCached)
        if isCached {
            core.exclusively {
                // During the build, all instances may have been released, or the registration replaced and built again.
                guard core.resetCount.load(ordering: .relaxed) == id.resetCount, cachedInstance?.box == nil
                else { return }
                _ = core.cache(product.box, of: entry, ownedBy: owner, closableID: product.closableID)
                core.retainUntilRequestEnds(product.box, of: entry)
            }
        }
        return product.box
    }

    /// An instance that the factory built, with its decorators.
    struct Product {
        let box: any AnyBox
        /// Nil if the container isn't going to close it.
        let closableID: UInt?
    }

    /// Runs the factory and its decorators as the innermost step, with the container as the current one.
    func runFactory(isClosable: Bool) async throws -> Product {
        let step = AsyncStep(.build(self), in: core, at: request.site)
        // An outer step may build the same entry, if arguments can end the recursion.
        let permitted = entry.registration.permittedRepetitions(!request.arguments.isEmpty)
        if AsyncStep.builds(of: entry, for: core) > permitted { throw ResolutionError(request, .cycle, in: nil) }
        let beginning = core.reportBeginning(of: entry.registration)
        do {
            let product = try await step.run {
                try await ContainerScope(core).run { try await callFactory(isClosable: isClosable, in: step) }
            }
            core.reportEnd(of: entry.registration, since: beginning)
            return product
        } catch {
            core.reportEnd(of: entry.registration, since: beginning, error)
            if error is CancellationError, Task.isCancelled { throw error }
            throw ResolutionError(wrapping: error, request, in: core, by: entry.registration)
        }
    }

    private func callFactory(isClosable: Bool, in step: AsyncStep) async throws -> Product {
        guard case .asyncFactory(let factory) = entry.registration.kind else {
            preconditionFailure("Only an asynchronous factory is awaited.")
        }
        let arguments = try ArgumentList(request.arguments, expected: entry.registration.argumentTypes)
        let box = try await factory(Resolver(core: core), arguments)
        let closableID = isClosable ? core.recordClosable(box, by: entry.registration) : nil
        return Product(box: try await decorate(box, in: step), closableID: closableID)
    }

    /// Runs the decorators. Their asynchronous dependencies are built ahead, as for a plain factory.
    private func decorate(_ base: any AnyBox, in step: AsyncStep) async throws -> any AnyBox {
        try await step.retrying { [self] in
            guard entry.isMainActor else { return try core.decorate(base, by: entry.decorators) }
            return try await MainActor.run { try core.decorate(base, by: entry.decorators) }
        } afterMissing: { build in
            try await build.awaitResult()
        }
    }
}
