extension Resolver {
    /// Resolves an instance, and awaits the asynchronous factories that it depends on.
    ///
    /// ```swift
    /// let database = try await DIContainer.resolve.async(Database.self)
    /// ```
    /// A `Shared(async:)` is built once. Requests during the build await the same build. A build that fails, or that is
    /// canceled because no task awaits it any longer, is started again by the next request. A type with a plain factory
    /// is resolved as soon as its asynchronous dependencies are built, whether they are autowired or resolved by
    /// `try resolve.orThrow()`. May be called in any task. Never blocks a thread of the cooperative pool: if the caller
    /// isn't on the main actor, plain factories and decorators run on threads of the library.
    /// - Parameters:
    ///   - type: The registered type.
    ///   - name: The name under which it was registered.
    ///   - arguments: Arguments for the factory, matched by position.
    ///   - file: The file reported in errors, by default the caller's.
    ///   - line: The line reported in errors, by default the caller's.
    /// - Throws: A ``ResolutionError``, or a `CancellationError` if this task is canceled.
    @_disfavoredOverload public func async<T, each Argument: Sendable>(
        _ type: T.Type = T.self, name: RegistrationName? = nil, arguments: repeat each Argument,
        file: StaticString = #fileID, line: UInt = #line
    ) async throws -> T {
        try await awaited(Request(type, name, boxed(repeat each arguments), file: file, line: line), type)
    }

    /// Resolves an instance, and awaits its asynchronous dependencies. A closure returns the arguments for its factory
    /// as a tuple.
    public func async<T, each Argument: Sendable>(
        _ type: T.Type = T.self, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line,
        arguments: () -> (repeat each Argument)
    ) async throws -> T {
        let arguments = arguments()
        return try await awaited(Request(type, name, boxed(repeat each arguments), file: file, line: line), type)
    }

    /// Resolves an instance, and awaits its asynchronous dependencies. A closure of several statements returns the only
    /// argument for its factory.
    public func async<T, Argument: Sendable>(
        _ type: T.Type = T.self, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line,
        arguments: (() -> Argument)?
    ) async throws -> T {
        // The closure is an Optional for the reason that the plain form gives: see ``Resolver``.
        // An Optional that is nil is an argument itself.
        let argument: Any = if let arguments { arguments() } else { arguments as Any }
        return try await awaited(Request(type, name, [argument], file: file, line: line), type)
    }

    private func awaited<T>(_ request: Request, _ type: T.Type) async throws -> T {
        try await container.awaitedBox(for: request).value(as: type)
    }
}

extension ContainerCore {
    /// Resolves a request, and awaits the asynchronous builds that it is missing.
    ///
    /// - Parameter failed: The builds whose errors the request gets without another run of their factories.
    func awaitedBox(for request: Request, after failed: [FailedBuild] = []) async throws -> any AnyBox {
        // All attempts are one request, which may be a part of a larger one.
        let step = AsyncStep(in: self, at: request.site)
        return try await step.run {
            var request = request
            request.isAwaited = true
            return try await step.retrying {
                try await attempt(request)
            } afterMissing: { build in
                if let known = failed.first(where: { $0.registration === build.entry.registration }) {
                    throw known.error
                }
                if build.entry.cacheLocation?.isContainer == true { return try await build.awaitResult() }
                let product = try await build.runFactory(isClosable: false)
                request.supplied.append(
                    Instance(product.box, of: build.entry, builtBy: build.core, isCached: false))
            }
        }
    }

    /// Resolves a request, unless it is missing an asynchronous build. Plain factories and decorators run on the main
    /// actor if the caller is on it, and otherwise on a thread that may block.
    private func attempt(_ request: Request) async throws -> any AnyBox {
        if request.arguments.isEmpty, let box = cachedBox(request.key) { return box }
        if MainActorCheck.isMainQueue || isBuiltAsynchronously(request.key) { return try box(for: request) }
        return try await BlockingThreads.run { [self] in try box(for: request) }
    }

    /// The box of a cached instance that any thread may read.
    private func cachedBox(_ key: Key) -> (any AnyBox)? {
        ThreadRecord.reading { if case .instance(let box) = lookUp(key) { box.object as? any AnyBox } else { nil } }
    }

    /// Whether an asynchronous factory builds the instance of a key. A request for it runs no plain factory and no
    /// decorator, and never waits for a queue.
    private func isBuiltAsynchronously(_ key: Key) -> Bool {
        let chain = chain(of: key)
        return chain.last?.entry.registration.isAsync == true && !chain.dropLast().contains { $0.entry.isDecorated }
    }

    /// Resolves a request, and awaits the asynchronous builds that it is missing.
    ///
    /// - Returns: The error, or `nil` if the request succeeds.
    package func awaitedFailure(
        of request: Request, after failed: [FailedBuild] = []
    ) async -> ResolutionError? {
        do {
            _ = try await awaitedBox(for: request, after: failed)
            return nil
        } catch { return ResolutionError(wrapping: error, request, in: self) }
    }
}

/// A registration whose build failed, and the error.
package struct FailedBuild {
    let registration: Registration
    let error: ResolutionError
}
