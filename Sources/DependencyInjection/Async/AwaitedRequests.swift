extension ContainerCore {
    /// Resolves a request, and awaits the asynchronous builds that it lacks.
    func awaitedBox(for request: borrowing Request) async throws -> any AnyBox {
        // All attempts are one request, which may be a part of a larger one.
        let step = AsyncStep(.request, in: self, at: request.site)
        return try await step.run {
            var request = request.copy()
            request.isAwaited = true
            var last: AsyncBuild.ID?
            while true {
                _ = step.takeMissing()
                do {
                    return try box(for: request)
                } catch let error as ResolutionError where error.reason == .asyncRequired {
                    guard let build = step.takeMissing(), build.canBeAwaited(after: last) else { throw error }
                    last = build.id
                    if build.entry.cacheLocation == Lifetime.CacheLocation.none {
                        let product = try await build.runFactory(isClosable: false)
                        request.supplied.append(Request.Supplied(entry: build.entry, box: product.box))
                    } else {
                        try await build.awaitResult()
                    }
                }
            }
        }
    }

    /// Resolves a request, and awaits the asynchronous builds that it lacks.
    ///
    /// - Returns: The error, if the request fails.
    func awaitedFailure(of request: borrowing Request) async -> ResolutionError? {
        do {
            _ = try await awaitedBox(for: request)
            return nil
        } catch { return ResolutionError(wrapping: error, request, in: self) }
    }
}
