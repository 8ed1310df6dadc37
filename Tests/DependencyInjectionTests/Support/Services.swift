import DependencyInjection
import Synchronization

// Types that most suites register.

protocol Engine: Sendable { var kind: String { get } }
protocol Starter: Sendable { func start() -> String }

final class Diesel: Engine, Starter {
    let kind: String
    init() { kind = "diesel" }
    init(kind: String) { self.kind = kind }
    func start() -> String { "start \(kind)" }
}

final class Car: Sendable {
    let engine: any Engine
    init(engine: any Engine) { self.engine = engine }
}

struct Ticket: Sendable, Equatable {
    let number: Int
}

struct Sabotage: Error, Equatable, CustomStringConvertible {
    var description: String { "sabotaged" }
}

/// A counter for any thread.
final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    var count: Int { value.load(ordering: .sequentiallyConsistent) }

    @discardableResult
    func increment() -> Int { value.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }

    func decrement() { value.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
}

func isSame(_ first: Any, _ second: Any) -> Bool {
    first as AnyObject === second as AnyObject
}
