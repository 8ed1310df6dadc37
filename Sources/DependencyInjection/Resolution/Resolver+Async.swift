extension Resolver {
    /// Resolves an instance, and waits for the asynchronous factories that it needs.
    ///
    /// ```swift
    /// let database = try await DIContainer.resolve.async(Database.self)
    /// ```
    /// A `Shared(async:)` is built once: whoever asks meanwhile waits for the same build. A build that fails, or that is
    /// cancelled because nobody waits for it any more, is started again by the next who asks. A type with a plain factory
    /// is resolved as soon as the asynchronous ones that it asks for, by autowiring or `try resolve.orThrow()`, are built.
    /// May be called in any task, and keeps no thread waiting.
    /// - Throws: A ``ResolutionError``, or a `CancellationError` if this task is cancelled.
    public func async<T>(
        _ type: T.Type = T.self, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line
    ) async throws -> T {
        try await container.resolveAsync(type, Request(type, name, [], file: file, line: line))
    }

    /// Resolves an instance with arguments for its factory, and waits for the asynchronous factories that it needs.
    public func async<T, First: Sendable, each Rest: Sendable>(
        _ type: T.Type = T.self, name: RegistrationName? = nil, arguments first: First, _ rest: repeat each Rest,
        file: StaticString = #fileID, line: UInt = #line
    ) async throws -> T {
        var arguments: [Any] = [first]
        repeat arguments.append(each rest)
        return
            try await container
            .resolveAsync(type, Request(type, name, arguments, file: file, line: line))
    }
}
