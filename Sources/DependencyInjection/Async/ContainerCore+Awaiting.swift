extension ContainerCore {
    /// Resolves, and waits for the asynchronous factories that must come first.
    func awaitedBox(for request: borrowing Request) async throws -> any AnyBox {
        guard let box = try await awaitedAnswer(request, isAhead: false) else {
            preconditionFailure("A request has an answer, or is an error.")
        }
        return box
    }

    /// Builds what is registered for a request without the decorators of children, and with all that it awaits. Does nothing
    /// if that is gone, or no longer asynchronous.
    func prepare(_ request: borrowing Request) async throws { _ = try await awaitedAnswer(request, isAhead: true) }

    /// Answers a request. As long as an asynchronous build must come first, awaits that build and tries again.
    ///
    /// - Parameter isAhead: Whether nobody asks yet, and an asynchronous registration is only prepared.
    private func awaitedAnswer(_ request: borrowing Request, isAhead: Bool) async throws -> (any AnyBox)? {
        // All rounds are one request, which may be part of a larger one.
        let step = AsyncStep(in: self, at: request.site)
        return try await step.run {
            var request = request.forwarded(to: request.type, request.key)
            request.isAwaited = true
            var last: AsyncBuild.ID?
            while true {
                do {
                    if !isAhead { return try box(for: request) }
                    guard let (owner, entry) = undecorated(request.key), entry.isAsync else { return nil }
                    return try answer(request, from: owner.object)?.box
                } catch let error as ResolutionError {
                    guard let build = error.pending, build.canBeAwaited(after: last) else { throw error }
                    last = build.id
                    if build.entry.mode == .transient {
                        request.supplied.append((build.entry, try await build.runFactory()))
                    } else {
                        try await build.awaitForRequest()
                        step.hasAwaited(build)
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
