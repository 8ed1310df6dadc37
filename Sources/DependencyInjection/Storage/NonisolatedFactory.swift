/// A main-actor factory that may be called without `await`.
///
/// Sound because a registration that is marked `isMainActor` is run only after ``MainQueue/isCurrent`` has been checked,
/// and because isolation to a global actor is no part of a function's representation: `MainActor.assumeIsolated` of the
/// standard library relies on the same. (The functions are in structs because a function type with a pack cannot be
/// passed to a generic parameter.)
struct NonisolatedFactory<T, each Argument> {
    let call: @Sendable (Resolver, repeat each Argument) throws -> T

    init(_ factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> T) {
        self = unsafeBitCast(Isolated(call: factory), to: Self.self)  // Sound: see above.
    }

    private struct Isolated {
        let call: @MainActor @Sendable (Resolver, repeat each Argument) throws -> T
    }
}
