/// A consumer for the results of workloads that the optimizer can't see through.
enum Sink {
    /// A closure that does nothing, which is only known at run time.
    @inline(never)
    static func make<Value>(for type: Value.Type = Value.self) -> (Value) -> Void {
        CommandLine.argc > 10_000 ? { print($0) } : { _ in }
    }
}
