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
