import DependencyInjection
import Testing

@Suite("Rule 20: closing", .mayHang, .ownThread) struct ClosingTests {
    @Test("handlers run in reverse order of construction")
    func order() async throws {
        let log = Log()
        let app = DIContainer {
            Shared { _ in Pool() }
                .onClose { _ in log.add("first") }
                .onClose { (_: Pool, failure) in log.add("second \(failure == nil)") }
            Shared { resolve in Unit(pool: resolve()) }
                .onClose { _ in log.add("unit") }
            Shared(Ticket(number: 1))
                .onClose { _ in log.add("never built") }
        }
        _ = try app.resolve.orThrow(Unit.self)
        try await app.close()
        #expect(log.all == ["unit", "second true", "first"])
    }

    @Test("a closed container resolves nothing of its own")
    func closed() async throws {
        let app = DIContainer {
            Shared(Pool())
            New(Ticket(number: 1))
            Shared(Impl(), as: (any Port).self)
        }
        _ = try app.resolve.orThrow(Pool.self)
        let child = app.makeChild {
            Shared(Diesel() as any Engine)
            Shared(Impl())
            Scoped(Ticket(number: 2), name: "own")
        }
        _ = try (child.resolve.orThrow(Pool.self), child.resolve.orThrow((any Port).self))
        let sibling = app.makeChild()
        try await sibling.close()
        // The open parent caches the pool.
        #expect(try sibling.resolve.orThrow(Pool.self) === app.resolve.orThrow(Pool.self))
        #expect(failure { _ = try sibling.resolve.orThrow(Ticket.self) }?.kind == "closed")
        #expect(try app.resolve.orThrow(Pool.self) === child.resolve.orThrow(Pool.self))
        try await app.close()
        #expect(failure { _ = try app.resolve.orThrow(Pool.self) }?.kind == "closed")
        #expect(failure { _ = try app.resolve.orThrow(Ticket.self) }?.kind == "closed")
        #expect(failure { _ = try app.resolve.orThrow(Pool?.self) }?.kind == "closed")
        #expect(failure { _ = try app.resolve.orThrow(Car?.self) }?.kind == "closed")
        #expect(failure { _ = try app.resolve.orThrow.all(Car.self) }?.kind == "closed")
        #expect(failure { _ = try app.resolve.orThrow(Provider<Pool>.self) }?.kind == "closed")
        #expect(failure { _ = try child.resolve.orThrow(Pool.self) }?.kind == "closed")
        #expect(failure { _ = try child.resolve.orThrow(Ticket.self) }?.kind == "closed")
        #expect(failure { _ = try child.resolve.orThrow(Car.self) }?.kind == "closed")
        // The alias is the parent's, and its target is the child's.
        #expect(try child.resolve.orThrow((any Port).self) as? Impl === child.resolve.orThrow(Impl.self))
        #expect(try child.resolve.orThrow((any Engine).self).kind == "diesel")
        #expect(app.isRegistered(Pool.self))
        #expect(try app.fork().resolve.orThrow(Ticket.self).number == 1)
        try await child.close()
        #expect(failure { _ = try child.resolve.orThrow((any Engine).self) }?.kind == "closed")
    }

    @Test("a build that began before closing ends, and its instance is closed")
    func earlierBuild() async throws {
        let log = Log()
        let began = Latch()
        let mayContinue = Latch()
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in log.add("pool") }
            Shared { resolve in
                began.open()
                mayContinue.wait()
                let unit = Unit(pool: resolve())
                #expect(resolve(Pool.self) === unit.pool)
                return unit
            }
            .onClose { _ in log.add("unit") }
            Shared(Ticket(number: 1))
        }
        _ = try app.resolve.orThrow(Ticket.self)
        let building = BackgroundThread { app.resolve(Unit.self) }
        began.wait()
        let closing = Task { try await app.close() }
        #expect(await eventually { failure { _ = try app.resolve.orThrow(Diesel?.self) } != nil })
        #expect(failure { _ = try app.resolve.orThrow(Pool.self) }?.kind == "closed")
        // The ticket is built, and has no handler.
        #expect(try app.resolve.orThrow(Ticket.self).number == 1)
        #expect(log.all.isEmpty)
        mayContinue.open()
        #expect(building.result() != nil)
        try await closing.value
        #expect(log.all == ["unit", "pool"])
    }

    @Test("an asynchronous build that began before closing ends, and its instance is closed")
    func earlierAsyncBuild() async throws {
        let log = Log()
        let began = Counter()
        let gate = Gate()
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in log.add("pool") }
            Shared(async: { resolve in
                began.increment()
                try await gate.wait()
                return Unit(pool: resolve())
            })
            .onClose { _ in log.add("unit") }
        }
        let building = Task { try await app.resolve.async(Unit.self) }
        let waiting = Task { try await app.resolve.async(Unit.self) }
        #expect(await eventually { began.count == 1 })
        let closing = Task { try await app.close() }
        #expect(await eventually { failure { _ = try app.resolve.orThrow(Diesel?.self) } != nil })
        gate.open()
        _ = try await building.value
        _ = try? await waiting.value
        try await closing.value
        #expect(log.all == ["unit", "pool"])
        await #expect(throws: ResolutionError.self) { _ = try await app.resolve.async(Unit.self) }
        await #expect(throws: ResolutionError.self) { try await app.prepare() }
    }

    /// Closing also lasts until the instances are released if there is no `onClose` handler, and so no closing task.
    @Test("a second close() waits until the instances are released")
    func secondClose() async throws {
        final class Slow: Sendable {
            let began: Counter
            let mayEnd: Latch
            init(_ began: Counter, _ mayEnd: Latch) { (self.began, self.mayEnd) = (began, mayEnd) }
            deinit {
                began.increment()
                mayEnd.wait()
            }
        }
        let log = Log()
        let began = Counter()
        let mayEnd = Latch()
        let app = DIContainer { Shared(Slow(began, mayEnd)) }
        _ = try app.resolve.orThrow(Slow.self)
        let first = Task { try await app.close() }
        #expect(await eventually { began.count == 1 })
        let second = Task {
            try await app.close()
            log.add("second")
        }
        try await Task.sleep(for: .milliseconds(50))
        #expect(log.all.isEmpty)
        log.add("released")
        mayEnd.open()
        try await second.value
        try await first.value
        #expect(log.all == ["released", "second"])
    }

    @Test("a deinit resolves a decorated alias of an instance that was built earlier")
    func decoratedAliasInDeinit() async throws {
        final class Last: Sendable {
            let resolve: Resolver
            let log: Log
            init(_ resolve: Resolver, _ log: Log) { (self.resolve, self.log) = (resolve, log) }
            deinit { log.add((try? resolve.orThrow((any Engine).self).kind) ?? "none") }
        }
        let log = Log()
        let app = DIContainer {
            Shared(Diesel(), as: (any Engine).self)
            Decorate((any Engine).self) { base, _ in Diesel(kind: "decorated \(base.kind)") }
            Shared { resolve in Last(resolve, log) }
        }
        _ = try app.resolve.orThrow((any Engine).self)
        _ = try app.resolve.orThrow(Last.self)
        try await app.close()
        #expect(log.all == ["decorated diesel"])
    }
}
