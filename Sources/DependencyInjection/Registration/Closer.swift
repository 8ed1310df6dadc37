/// Says how an instance is closed, and where that was written.
struct Closer: Sendable {
    let site: CallSite
    let run: @Sendable (any AnyBox, (any Error)?) async throws -> Void
}
