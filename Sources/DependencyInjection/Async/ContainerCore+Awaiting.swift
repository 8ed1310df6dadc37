extension ContainerCore {
    /// Builds what is registered, with all that it needs and awaits, and returns what failed.
    ///
    /// - Parameter isPreparing: Whether to build only what is asynchronous and kept.
    @_alwaysEmitIntoClient func failure(
        of registration: Registration, _ arguments: [Any] = [], at site: CallSite? = nil, isPreparing: Bool = false
    ) async -> ResolutionError? {
        let request = Request(for: registration, arguments, at: site)
        do {
            _ = try await awaitedBox(for: request, isPreparing: isPreparing)
        } catch  where !isPreparing || !Task.isCancelled || error is ResolutionError {
            // Any other error comes from a factory, for example one that cancelled its own task.
            let error = ResolutionError(wrapping: error, request, in: self)
            // A registration of the main actor has been built by then, and was only not handed out.
            return isPreparing && error.reason == .mainActorRequired && error.isAbout(registration) ? nil : error
        } catch {}
        return nil
    }

    /// Resolves. As long as an asynchronous build must come first, it awaits that build and asks again.
    @usableFromInline func awaitedBox(for request: borrowing Request, isPreparing: Bool = false) async throws
        -> any AnyBox
    {
        // All rounds are one request, which may be part of a larger one.
        try await AsyncStep(nil).run {
            var request = request.forwarded(to: request.type, request.key)
            request.isAwaited = true
            // Keeps what was built for this request alive, even if the container keeps nothing.
            var built: [any AnyBox] = []
            var last: AsyncBuild.ID?
            while true {
                let (box, missing) = try round(of: &request, built, last, isPreparing)
                if let box { return box }
                guard let missing else { continue }
                last = missing.id
                if missing.entry.mode == .transient {
                    request.supplied.append((missing.entry, try await missing.perform()))
                } else {
                    built.append(try await missing.resultForRequest())
                }
            }
        }
    }

    /// Answers, or returns the build that must come first; neither if the last result is supplied from now on.
    // Not inlined, because each suspension point of the caller would get a copy.
    @inline(never) private func round(
        of request: inout Request, _ built: [any AnyBox], _ last: AsyncBuild.ID?, _ isPreparing: Bool
    ) throws -> (box: (any AnyBox)?, missing: AsyncBuild?) {
        do {
            return (try isPreparing ? preparedBox(for: request) : box(for: request), nil)
        } catch let error as ResolutionError {
            guard let build = error.pending, build.canBeAwaited(after: last, for: request) else { throw error }
            // If the same build is still pending, nobody keeps its result.
            guard let box = built.last, build.id == last else { return (nil, build) }
            request.supplied.append((build.entry, box))
            return (nil, nil)
        }
    }

    /// Resolves without the decorators of children; skips what is gone or no longer asynchronous.
    private func preparedBox(for request: borrowing Request) throws -> any AnyBox {
        try preparable(request.key).flatMap { try answer(request, from: $0)?.box } ?? Box(())
    }

    /// The container whose asynchronous registration answers a key. Entries with decorators only are skipped.
    private func preparable(_ key: Key) -> ContainerCore? {
        guard let (owner, entry) = registered(key) else { return nil }
        guard entry.registration == nil else { return entry.isAsync ? owner.object : nil }
        return owner.object.parent?.preparable(key)
    }
}

extension AsyncBuild {
    /// Whether a request may wait for this build, and then be answered.
    func canBeAwaited(after last: ID?, for request: borrowing Request) -> Bool {
        if request.supplied.contains(where: { $0.entry === entry }) { return false }
        if self.request.isAwaited { return true }
        // A build that a plain factory needs can be made ahead only if it takes no arguments and is kept.
        return entry.mode != .transient && self.request.arguments.isEmpty && id != last
    }
}
