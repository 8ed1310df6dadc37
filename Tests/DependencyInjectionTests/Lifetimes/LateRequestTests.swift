import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("Rule 20: requests while a container closes, and afterwards", .mayHang)
struct LateRequestTests {
    private final class Logger: Sendable {
        let log: Log
        init(_ log: Log) { self.log = log }
    }

    /// An object whose `deinit` resolves another type.
    private final class Worker: Sendable {
        private let resolve: Resolver
        private let log: Log
        init(_ resolve: Resolver, _ log: Log) { (self.resolve, self.log) = (resolve, log) }
        deinit {
            do { log.add("worker: \(try resolve.orThrow(Ticket.self).number)") } catch {
                log.add("worker: \(error.kind)")
            }
        }
    }

    @Test("A deinit during closing gets an instance that was built earlier", arguments: [false, true])
    func deinitDuringClosing(isBuilt: Bool) async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Ticket(number: 7))
            Shared { resolve in Worker(resolve, log) }
        }
        if isBuilt { _ = app.resolve(Ticket.self) }
        _ = try app.resolve.orThrow(Worker.self)
        try await app.close()
        #expect(log.all == [isBuilt ? "worker: 7" : "worker: closed"])
    }

    @Test("An instance isn't served after its handler has run")
    func afterHandler() async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Ticket(number: 7)).onClose { _ in
                log.add((try? DIContainer.current.resolve.orThrow(Diesel.self).kind) ?? "closed")
            }
            Shared { resolve in Diesel(kind: "\(try resolve.orThrow(Ticket.self).number)") }.onClose { diesel in
                // The handler of this instance is running.
                log.add("\(diesel.kind) \(try DIContainer.resolve.orThrow(Diesel.self).kind)")
                log.add("\(try DIContainer.resolve.orThrow(Ticket.self).number)")
            }
        }
        _ = try app.resolve.orThrow(Diesel.self)
        try await DIContainer.withContainer(app) { try await app.close() }
        #expect(log.all == ["7 7", "7", "closed"])
    }

    @Test("A task that outlives withChild may still use the instances of the open parent")
    func outlivesChild() async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Logger(log))
            Shared { _ in Ticket(number: 7) }
            Scoped(Diesel())
        }
        let mayRun = Gate()
        let task = try await app.withChild { _ in
            Task {
                try await mayRun.wait()
                let logger = try DIContainer.resolve.orThrow(Logger.self)
                #expect(try DIContainer.resolve.orThrow(Ticket.self).number == 7)
                #expect(failure { _ = try DIContainer.resolve.orThrow(Diesel.self) }?.kind == "closed")
                return logger
            }
        }
        mayRun.open()
        #expect(try await task.value === app.resolve.orThrow(Logger.self))
    }

    @Test("An open child serves its cached instances after its parent was closed")
    func cachedByChild() async throws {
        let app = DIContainer {
            Scoped(Diesel(), as: (any Engine).self)
            Scoped(Ticket(number: 1))
        }
        let child = app.makeChild()
        let diesel = try child.resolve.orThrow(Diesel.self)
        try await app.close()
        #expect(try child.resolve.orThrow(Diesel.self) === diesel)
        #expect(try child.resolve.orThrow((any Engine).self) as? Diesel === diesel)
        #expect(failure { _ = try child.resolve.orThrow(Ticket.self) }?.kind == "closed")
    }

    @Test("The text names the call that closed the container")
    func callSite() async throws {
        let app = DIContainer()
        let line: UInt = #line + 1
        let child = try await app.withChild {
            New(1)
        } operation: { child in
            child
        }
        let error = failure { _ = try child.resolve.orThrow(Int.self) }
        #expect(error?.description.contains("closed by `withChild` at \(#fileID):\(line)\n") == true)
    }
}
