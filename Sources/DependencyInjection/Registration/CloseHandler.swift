/// A handler that `onClose` adds to a registration.
struct CloseHandler: Sendable {
    let site: CallSite
    /// Closes an instance. Receives the box of the instance and the error that ended the work, if any.
    let run: @Sendable (any AnyBox, (any Error)?) async throws -> Void
}
