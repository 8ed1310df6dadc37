extension ContainerCore {
    /// Resolves, and waits for the asynchronous factories that must come first.
    func awaitedBox(for request: borrowing Request) async throws -> any AnyBox {
        try await awaiting(request) { request in try box(for: request) }
    }

    /// Builds what is registered for a request without the decorators of children, and with all that it awaits. Does nothing
    /// if that is gone, or no longer asynchronous.
    func prepare(_ request: borrowing Request) async throws {
        try await awaiting(request) { request in
            guard let (owner, entry) = undecorated(request.key), entry.isAsync else { return }
            _ = try answer(request, from: owner.object)
        }
    }

    /// Tries to answer a request. As long as an asynchronous build must come first, awaits that build and tries again.
    private func awaiting<Result>(
        _ request: borrowing Request, _ attempt: (borrowing Request) throws -> Result
    ) async throws -> Result {
        // All rounds are one request, which may be part of a larger one.
        let step = AsyncStep(.request, in: self, at: request.site)
        return try await step.run {
            var request = request.copy()
            request.isAwaited = true
            var last: AsyncBuild.ID?
            while true {
                do {
                    return try attempt(request)
                } catch let error as ResolutionError {
                    guard let build = error.pending, build.canBeAwaited(after: last) else { throw error }
                    last = build.id
                    if build.entry.mode == .transient {
                        request.supplied.append((build.entry, try await build.runFactory()))
                    } else {
                        try await build.awaitForRequest()
                        step.noteAwaited(build)
                    }
                }
            }
        }
    }
}

extension AsyncBuild {
    /// Whether a request may wait for this build, and then be answered. What a plain factory needs is built ahead once.
    func canBeAwaited(after last: ID?) -> Bool { request.isAwaited || id != last }
}
