/// A factory or an initializer of any isolation that can be called on any thread without `await`.
///
/// Sound if it is only called on its actor. The caller checks this, with ``MainActorCheck`` for the main actor. The
/// isolation of a function is stored next to its captured values, and doesn't change the calling convention. The factory
/// needn't be `Sendable`, because the caller that supplies it guarantees safety. It is in a struct because a function type
/// with a pack can't be passed to a generic parameter.
struct NonisolatedFactory<Result, Failure: Error, each Argument> {
    let call: @Sendable (repeat each Argument) throws(Failure) -> Result

    init(_ factory: @escaping @isolated(any) (repeat each Argument) throws(Failure) -> Result) {
        self = unsafeBitCast(Isolated(call: factory), to: Self.self)  // Sound: see above.
    }

    private struct Isolated {
        let call: @isolated(any) (repeat each Argument) throws(Failure) -> Result
    }
}
