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
    /// - Parameters:
    ///   - type: The type that was registered.
    ///   - name: The name under which it was registered.
    ///   - arguments: Arguments for the factory, matched by position.
    ///   - file: The file reported in errors, by default the caller's.
    ///   - line: The line reported in errors, by default the caller's.
    /// - Throws: A ``ResolutionError``, or a `CancellationError` if this task is cancelled.
    @_disfavoredOverload public func async<T, each Argument: Sendable>(
        _ type: T.Type = T.self, name: RegistrationName? = nil, arguments: repeat each Argument,
        file: StaticString = #fileID, line: UInt = #line
    ) async throws -> T {
        try await awaited(Request(type, name, boxed(repeat each arguments), file: file, line: line), type)
    }

    /// Resolves an instance, and waits for what it needs; a closure returns the arguments for its factory as a tuple.
    public func async<T, each Argument: Sendable>(
        _ type: T.Type = T.self, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line,
        arguments: () -> (repeat each Argument)
    ) async throws -> T {
        let arguments = arguments()
        return try await awaited(Request(type, name, boxed(repeat each arguments), file: file, line: line), type)
    }

    private func awaited<T>(_ request: Request, _ type: T.Type) async throws -> T {
        try await container.awaitedBox(for: request).value(as: type)
    }
}
