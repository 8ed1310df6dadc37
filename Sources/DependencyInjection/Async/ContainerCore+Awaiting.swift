extension ContainerCore {
    /// Builds what is registered, with all that it needs and awaits, and returns what failed.
    ///
    /// - Parameter isPreparing: Whether to build only what is asynchronous and kept.
    func failure(
        of registration: Registration, _ arguments: [Any] = [], at site: CallSite? = nil, isPreparing: Bool = false
    ) async -> ResolutionError? {
        let request = Request(for: registration, arguments, at: site)
        do {
            _ = try await awaitedBox(for: request, isPreparing: isPreparing)
            return nil
        } catch {
            let error = ResolutionError(wrapping: error, request, in: self)
            // A registration of the main actor has been built by then, and was only not handed out.
            return isPreparing && error.reason == .mainActorRequired && error.isAbout(registration) ? nil : error
        }
    }

    /// Resolves. As long as an asynchronous build must come first, it awaits that build and asks again.
    @usableFromInline func awaitedBox(for request: borrowing Request, isPreparing: Bool = false) async throws
        -> any AnyBox
    {
        // All rounds are one request, which may be part of a larger one.
        try await AsyncStep(nil, at: request.site).run {
            var request = request.forwarded(to: request.type, request.key)
            request.isAwaited = true
            var missing: AsyncBuild?
            while true {
                if let missing, missing.entry.mode == .transient {
                    request.supplied.append((missing.entry, try await missing.perform()))
                } else {
                    try await missing?.buildForRequest()
                }
                if let box = try round(of: request, after: &missing, isPreparing) { return box }
            }
        }
    }

    /// Answers, or returns nil after it has replaced the last build with the one that must come first.
    // Not inlined, because each suspension point of the caller would get a copy.
    @inline(never) private func round(
        of request: borrowing Request, after last: inout AsyncBuild?, _ isPreparing: Bool
    ) throws -> (any AnyBox)? {
        do {
            return try isPreparing ? preparedBox(for: request) : box(for: request)
        } catch let error as ResolutionError {
            guard let build = error.pending, build.canBeAwaited(after: last?.id) else { throw error }
            last = build
            return nil
        }
    }

    /// Resolves without the decorators of children; skips what is gone or no longer asynchronous.
    private func preparedBox(for request: borrowing Request) throws -> any AnyBox {
        guard let (owner, entry) = undecorated(request.key), entry.isAsync else { return Box(()) }
        return try answer(request, from: owner.object)?.box ?? Box(())
    }
}

extension AsyncBuild {
    /// Whether a request may wait for this build, and then be answered. What a plain factory needs is built ahead once.
    func canBeAwaited(after last: ID?) -> Bool { request.isAwaited || id != last }
}
