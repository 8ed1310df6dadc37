/// An operation whose time and whose instructions are measured.
package struct Workload {
    /// A function that runs some work, and measures it if it needs to.
    package typealias Measure = (_ work: () -> Void) -> Void

    /// Repetitions of an operation.
    package enum Loop {
        /// Repetitions that are measured together.
        case whole((_ repetitions: Int) -> Void)
        /// Repetitions that are measured one by one. The preparation of each isn't measured.
        case single((_ repetitions: Int, _ measure: Measure) -> Void)
        /// Repetitions in a task, which are measured together.
        case task(@Sendable (_ repetitions: Int) async throws -> Void)
    }

    /// Operations on a container in use.
    package static var requests: [Workload] { reads + builds + containers }

    /// The row of the article "Performance".
    package let name: String
    /// Prepares the loop, which takes long for some operations.
    package let makeLoop: () -> Loop

    init(_ name: String, makeLoop: @escaping () -> Loop) {
        self.name = name
        self.makeLoop = makeLoop
    }

    init(_ name: String, _ loop: @escaping (_ repetitions: Int) -> Void) {
        self.init(name) { .whole(loop) }
    }

    init<Subject>(
        _ name: String, with subject: @escaping () -> Subject,
        _ loop: @escaping (_ repetitions: Int, Subject) -> Void
    ) {
        self.init(name) {
            let subject = subject()
            return .whole { loop($0, subject) }
        }
    }
}

/// Repeats an operation. It is inlined, so that it becomes a plain loop in its caller.
@inline(__always)
package func repeating<Value>(_ repetitions: Int, _ operation: () throws -> Value) rethrows {
    let sink = Sink.make(for: Value.self)
    for _ in 0..<repetitions { sink(try operation()) }
}

/// A consumer for results that the optimizer can't see through.
package enum Sink {
    /// A closure that does nothing, which is only known at run time.
    @inline(never)
    package static func make<Value>(for type: Value.Type = Value.self) -> (Value) -> Void {
        CommandLine.argc > 10_000 ? { print($0) } : { _ in }
    }
}

/// The counterpart of ``Sink``: values that the optimizer can't predict.
enum Source {
    @inline(never)
    static func make<Value>(_ value: @escaping () -> Value) -> () -> Value {
        CommandLine.argc > 10_000 ? { fatalError("Never chosen.") } : value
    }
}
