/// A factory of any isolation that may be called on any thread without `await`.
///
/// Sound if the factory is called on its actor only; the caller checks this, by ``MainQueue/isCurrent`` for the main
/// actor. The isolation of a function is kept beside what it captures, and is no part of how it is called. The factory
/// need not be `Sendable` either: whoever supplies it vouches for it. (It is in a struct because a function type with a
/// pack cannot be passed to a generic parameter.)
struct NonisolatedFactory<Result, First, each Argument> {
    let call: @Sendable (First, repeat each Argument) throws -> Result

    init(_ factory: @escaping @isolated(any) (First, repeat each Argument) throws -> Result) {
        self = unsafeBitCast(Isolated(call: factory), to: Self.self)  // Sound: see above.
    }

    private struct Isolated {
        let call: @isolated(any) (First, repeat each Argument) throws -> Result
    }
}

/// An initializer of any isolation, like ``NonisolatedFactory``, but it may have no parameters.
struct NonisolatedInitializer<Result, each Argument> {
    let call: @Sendable (repeat each Argument) throws -> Result

    init(_ initializer: @escaping @isolated(any) (repeat each Argument) throws -> Result) {
        self = unsafeBitCast(Isolated(call: initializer), to: Self.self)  // Sound: see above.
    }

    private struct Isolated {
        let call: @isolated(any) (repeat each Argument) throws -> Result
    }
}
