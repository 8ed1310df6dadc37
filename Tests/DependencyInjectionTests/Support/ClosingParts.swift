import DependencyInjection

/// The lines that closures wrote, in order.
final class Log: Sendable {
    private let lines = Locked<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
}

/// Something that has to be closed.
final class Pool: Sendable {}

/// Something that needs the pool.
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

/// Something that may be made of another by a decorator.
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
