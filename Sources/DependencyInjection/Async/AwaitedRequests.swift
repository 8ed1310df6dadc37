extension ContainerCore {
    /// Resolves a request, and awaits the asynchronous builds that it is missing.
    func awaitedBox(for request: Request) async throws -> any AnyBox {
        // All attempts are one request, which may be a part of a larger one.
        let step = AsyncStep(.request, in: self, at: request.site)
        return try await step.run {
            var request = request
            request.isAwaited = true
            return try await step.retrying {
                try box(for: request)
            } afterMissing: { build in
                if build.entry.cacheLocation?.isContainer == true { return try await build.awaitResult() }
                let product = try await build.runFactory(isClosable: false)
                request.supplied.append(Request.Supplied(entry: build.entry, box: product.box))
            }
        }
    }

    /// Resolves a request, and awaits the asynchronous builds that it is missing.
    ///
    /// - Returns: The error, or `nil` if the request succeeds.
    func awaitedFailure(of request: Request) async -> ResolutionError? {
        do {
            _ = try await awaitedBox(for: request)
            return nil
        } catch { return ResolutionError(wrapping: error, request, in: self) }
    }
}
