/// A main-actor function that may be called without `await`.
///
/// Sound if it is called on the main actor only, which the caller checks by ``MainQueue/isCurrent``, because isolation to a
/// global actor is no part of a function's representation: `MainActor.assumeIsolated` of the standard library relies on the
/// same. (The functions are in structs because a function type with a pack cannot be passed to a generic parameter.)
struct NonisolatedFactory<Result, First, each Argument> {
    let call: @Sendable (First, repeat each Argument) throws -> Result

    init(_ factory: @escaping @MainActor @Sendable (First, repeat each Argument) throws -> Result) {
        self = unsafeBitCast(Isolated(call: factory), to: Self.self)  // Sound: see above.
    }

    private struct Isolated {
        let call: @MainActor @Sendable (First, repeat each Argument) throws -> Result
    }
}
