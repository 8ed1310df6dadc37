/// A handler that `onClose` adds to a registration.
struct CloseHandler: Sendable {
    let site: CallSite
    /// Closes an instance. It gets the box of the instance and the error that ended the work.
    let run: @Sendable (any AnyBox, (any Error)?) async throws -> Void
}
