import DependencyInjection
import Synchronization
import Testing

// Types that most suites register.

protocol Engine: Sendable { var kind: String { get } }
protocol Starter: Sendable { var kind: String { get } }

final class Diesel: Engine, Starter {
    let kind: String
    init() { kind = "diesel" }
    init(kind: String) { self.kind = kind }
}

/// A decorated engine.
final class Tuned: Engine, Starter {
    let base: any Engine
    let label: String
    init(_ base: any Engine, _ label: String = "tuned") { (self.base, self.label) = (base, label) }
    var kind: String { "\(label) \(base.kind)" }
}

/// Creates a new decorator of an engine, which counts its calls.
func tune(_ label: String = "tuned", name: RegistrationName? = nil, calls: Counter = Counter()) -> Decorate {
    Decorate((any Engine).self, name: name) { base, _ in calls.counting(Tuned(base, label)) }
}

/// Returns the kinds of a collection of engines, which every form of request contains.
func kinds(
    _ container: DIContainer, name: RegistrationName? = nil, _ location: SourceLocation = #_sourceLocation
) throws -> [String] {
    let resolve = container.resolve
    let kinds = try resolve.orThrow.all((any Engine).self, name: name).map(\.kind)
    #expect(try resolve.orThrow(All<any Engine>.self, name: name).map(\.kind) == kinds, sourceLocation: location)
    // An array isn't available without contributions.
    let array = try resolve.orThrow([any Engine]?.self, name: name)
    #expect((array?.map(\.kind) ?? kinds) == kinds, sourceLocation: location)
    return kinds
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
    func increment(by amount: Int = 1) -> Int {
        value.wrappingAdd(amount, ordering: .sequentiallyConsistent).newValue
    }

    /// Counts a build, and returns its instance.
    func counting<T>(_ instance: @autoclosure () throws -> T) rethrows -> T {
        increment()
        return try instance()
    }
}

func isSame(_ first: Any, _ second: Any) -> Bool {
    first as AnyObject === second as AnyObject
}

/// The lines that closures add, in order.
final class Log: Sendable {
    private let lines = Locked<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
}

/// A dependency that has to be closed.
final class Pool: Sendable {}

/// A type that depends on the pool.
final class Unit: Sendable {
    let pool: Pool
    init(pool: Pool) { self.pool = pool }
}

final class Thing: Sendable {}

/// A protocol without requirements.
protocol Port: AnyObject, Sendable {}

/// An instance that is identified by its name.
final class Connection: Sendable {
    let name: String
    init(_ name: String) { self.name = name }

    /// Creates an instance, and adds its name to a log of builds.
    init(_ name: String, _ builds: Log) {
        self.name = name
        builds.add(name)
    }
}

/// A type of the main actor, with a protocol of that actor.
@MainActor protocol Showing: AnyObject { var title: String { get } }
@MainActor final class Window: @MainActor Showing {
    let title: String
    var isOpen = true

    init(title: String = "untitled") {
        MainActor.assertIsolated()
        self.title = title
    }
}

/// A parent and a child. The child has resolved the registrations of both.
struct ParentAndChild {
    let parent: DIContainer
    let child: DIContainer

    init() {
        parent = DIContainer {
            Shared(Diesel(kind: "old"), as: (any Engine).self)
            Scoped(Ticket(number: 1))
            Shared("old")
        }
        child = parent.makeChild {
            Shared(1.5)
            Decorate(Double.self) { base, _ in base * 2 }
        }
        _ = (child.resolve((any Engine).self), child.resolve(Ticket.self), child.resolve(String.self))
        _ = (parent.resolve((any Engine).self), parent.resolve(Ticket.self), parent.resolve(String.self))
        _ = child.resolve(Double.self)
    }
}

/// A type with the same name as one in the standard library.
struct Int128: Sendable {}

/// A named argument of a test.
struct Row<Value: Sendable>: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let value: Value

    init(_ name: String, _ value: Value) { (testDescription, self.value) = (name, value) }
}
