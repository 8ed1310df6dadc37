extension ContainerCore {
    /// Resolves, and waits for the asynchronous factories that must come first: as long as one must, awaits it and tries again.
    func awaitedBox(for request: borrowing Request) async throws -> any AnyBox {
        // All rounds are one request, which may be part of a larger one.
        let step = AsyncStep(.request, in: self, at: request.site)
        return try await step.run {
            var request = request.copy()
            request.isAwaited = true
            var last: AsyncBuild.ID?
            while true {
                do {
                    return try box(for: request)
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
