import Testing

extension Trait where Self == TimeLimitTrait {
    /// The limit for a test that waits for threads or tasks, and that a fault of the library could block.
    ///
    /// Tests run in parallel, so the limit includes the time that a test waits for its turn. Each wait of a test ends long
    /// before, with an issue that says what did not happen.
    static var mayHang: Self { .timeLimit(.minutes(10)) }
}
