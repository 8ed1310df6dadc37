/// Consumes what a workload produces, in a way that the optimiser cannot see through.
enum Sink {
    /// A closure that does nothing, which only the run time knows.
    @inline(never)
    static func make<Value>(for type: Value.Type = Value.self) -> (Value) -> Void {
        CommandLine.argc > 10_000 ? { print($0) } : { _ in }
    }
}
