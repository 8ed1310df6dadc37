extension DIContainer {
    /// Builds everything that is registered with `async:` and kept, so that plain requests for it work afterwards.
    ///
    /// ```swift
    /// try await container.prepare()
    /// let database: Database = container.resolve()
    /// ```
    /// That is every `Shared(async:)` of this container and its parents, except those whose factory takes arguments. Every
    /// `Scoped(async:)` is built, too, if this container has a parent, or is a fork of one that has: a container without a
    /// parent would keep, say, a connection that is meant for its children. Factories that do not need one another run at the
    /// same time; one that asks for another with `try await resolve.async()` waits for it. May be called in any task, more than
    /// once.
    /// - Throws: A ``PreparationError`` with every failure, or a `CancellationError` if the task is cancelled. What was built
    ///   stays; what failed is built again by the next who asks.
    public func prepare(file: StaticString = #fileID, line: UInt = #line) async throws {
        let site = CallSite(file: file, line: line)
        try core.checkOpen(Request(ContainerCore.self, nil, [], file: file, line: line))
        let failures = await withTaskGroup(of: ResolutionError?.self) { [core] group in
            for registration in core.preparable {
                group.addTask { await core.preparationFailure(of: registration, at: site) }
            }
            var failures: [ResolutionError] = []
            for await case let failure? in group { failures.append(failure) }
            return failures
        }
        try Task.checkCancellation()
        if let error = PreparationError(failures) { throw error }
    }
}

/// Lists everything that ``DIContainer/prepare(file:line:)`` could not build.
public struct PreparationError: Error, CustomStringConvertible {
    /// All failures, each once, however many builds it made fail; there is at least one.
    public let failures: [ResolutionError]

    /// Nil if there are none.
    init?(_ failures: [ResolutionError]) {
        if failures.isEmpty { return nil }
        var known: [ResolutionError] = []
        for failure in failures where !known.contains(where: failure.isSame) { known.append(failure) }
        self.failures = known
    }

    /// The texts of the failures, numbered.
    public var description: String {
        var types: [any Any.Type] = []
        var texts: [ResolutionError.Text] = []
        for failure in failures {
            texts.append(failure.text)
            types += texts[texts.count - 1].types
        }
        let names = TypeNames(types)
        var description = "\(failures.count) asynchronous \(failures.count == 1 ? "build" : "builds") failed."
        for (index, text) in texts.enumerated() { description += "\n\(index + 1). \(text.named(by: names))" }
        return description
    }
}

extension ContainerCore {
    /// Builds what is registered, with all that it needs and awaits, and returns what failed.
    fileprivate func preparationFailure(of registration: Registration, at site: CallSite) async -> ResolutionError? {
        let request = Request(for: registration, [], at: site)
        do {
            try await prepare(request)
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
            $0.isAsync && !$0.takesArguments && ($0.lifetime == .shared || $0.lifetime == .scoped && isChild)
        }
    }
}
