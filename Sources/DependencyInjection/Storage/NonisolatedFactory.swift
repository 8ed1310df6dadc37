/// A factory of any isolation that may be called on any thread without `await`.
///
/// Sound if it is called on its actor only, which the caller checks, by ``MainQueue/isCurrent`` for the main actor: isolation is
/// kept beside what a function captures, and is no part of how it is called. The factory need not be `Sendable`, either: its
/// giver vouches for it. (It is in a struct because a function type with a pack cannot be passed to a generic parameter.)
struct NonisolatedFactory<Result, First, each Argument> {
    let call: @Sendable (First, repeat each Argument) throws -> Result

    init(_ factory: @escaping @isolated(any) (First, repeat each Argument) throws -> Result) {
        self = unsafeBitCast(Isolated(call: factory), to: Self.self)  // Sound: see above.
    }

    private struct Isolated {
        let call: @isolated(any) (First, repeat each Argument) throws -> Result
    }
}

/// An initializer of any isolation, as ``NonisolatedFactory``; it may have no parameter.
struct NonisolatedInitializer<Result, each Argument> {
    let call: @Sendable (repeat each Argument) throws -> Result

    init(_ initializer: @escaping @isolated(any) (repeat each Argument) throws -> Result) {
        self = unsafeBitCast(Isolated(call: initializer), to: Self.self)  // Sound: see above.
    }

    private struct Isolated {
        let call: @isolated(any) (repeat each Argument) throws -> Result
    }
}
