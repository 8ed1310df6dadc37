import DependencyInjection

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

/// A port with an implementation and a decorator.
protocol Port: AnyObject, Sendable {}
final class Impl: Port {}

/// A decorator's result for a port.
final class Wrapped: Port {
    let base: any Port
    init(_ base: any Port) { self.base = base }
}

/// A type that may be a factory's instance or a decorator's.
final class Thing: Sendable {
    let base: Thing?
    init(_ base: Thing? = nil) { self.base = base }
    var kind: String { base == nil ? "plain" : "decorated" }
}

/// An instance that is identified by its name.
final class Connection: Sendable {
    let name: String
    init(_ name: String) { self.name = name }
}
