import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("Rule 21: A child can be created for an operation", .mayHang)
struct WithChildTests {
    /// A call that runs an operation with a container, and then closes that container.
    enum Call: String, CaseIterable, Codable, Sendable {
        case withChild, run

        func callAsFunction<Result>(
            _ app: DIContainer, isolation: isolated (any Actor)? = #isolation, line: UInt = #line,
            _ operation: (DIContainer) async throws -> Result
        ) async throws -> Result {
            switch self {
            case .withChild: try await app.withChild(isolation: isolation, line: line, operation: operation)
            case .run: try await app.run(isolation: isolation, line: line, operation)
            }
        }
    }

    fileprivate static func app(_ log: Log, failing: Bool = false) -> DIContainer {
        DIContainer {
            Scoped(Pool())
                .onClose { (_: Pool, failure) in
                    log.add("pool \(failure.map { "after \($0)" } ?? "ok")")
                    if failing { throw Sabotage() }
                }
        }
    }

    @Test("The container is current in the operation, and closed when that returns", arguments: Call.allCases)
    func returns(_ call: Call) async throws {
        let log = Log()
        let app = Self.app(log)
        let line: UInt = #line + 1
        let container = try await call(app) { container in
            #expect((container === app) == (call == .run))
            #expect(DIContainer.resolve(Pool.self) === container.resolve(Pool.self))
            #expect(log.all.isEmpty)
            return container
        }
        #expect(log.all == ["pool ok"])
        let error = container.error(of: Pool.self)
        #expect(error?.kind == "closed")
        #expect(error?.description.contains("closed by `\(call.rawValue)` at \(#fileID):\(line)\n") == true)
        #expect(DIContainer.current !== container)
    }

    @Test("A child that outlives its parent's close() is still closed, and no other child is created")
    func closingParent() async throws {
        let (log, operation) = (Log(), Latch())
        let app = Self.app(log)
        let running = Task {
            try await app.withChild { child in
                _ = child.resolve(Pool.self)
                try await operation.opening()
            }
        }
        await operation.isReached()
        try await app.close()
        let error = await #expect(throws: ResolutionError.self) { try await app.withChild { _ in } }
        #expect(error?.kind == "closed")
        #expect(log.all.isEmpty)
        operation.open()
        try await running.value
        #expect(log.all == ["pool ok"])
    }

    @Test("The static form creates a child of the current container, which stays open")
    func isStatic() async throws {
        let log = Log()
        let app = Self.app(log)
        try await DIContainer.withContainer(app) {
            try await DIContainer.withChild {
                Shared(Ticket(number: 1))
            } operation: { _ in
                _ = DIContainer.resolve(Pool.self)
                try await DIContainer.withChild { child in #expect(child.resolve(Ticket.self).number == 1) }
            }
        }
        #expect(log.all == ["pool ok"])
        #expect(try app.resolve.orThrow(Ticket?.self) == nil)
    }

    @Test("The container is closed with the operation's error, which the caller gets", arguments: Call.allCases)
    func throwing(_ call: Call) async throws {
        let log = Log()
        await #expect(throws: Sabotage.self) {
            try await call(Self.app(log)) { container in
                _ = container.resolve(Pool.self)
                throw Sabotage()
            }
        }
        #expect(log.all == ["pool after sabotaged"])
    }

    @Test("The operation's result is not returned if closing failed", arguments: Call.allCases)
    func closingFails(_ call: Call) async throws {
        let line: UInt = #line + 1
        let error = await #expect(throws: CloseError.self) {
            try await call(Self.app(Log(), failing: true)) { container in
                _ = container.resolve(Pool.self)
                return 1
            }
        }
        #expect(error?.failures.map { $0.error is Sabotage } == [true])
        let text = try #require(error).description
        #expect(text.contains("`\(call.rawValue)` at \(#fileID):\(line) completed with 1 failure."))
        #expect(text.contains("1. Pool, by the `onClose` at \(#fileID):"))
    }

    @Test("The operation runs on the caller's actor", arguments: Call.allCases)
    @MainActor
    func isolation(_ call: Call) async throws {
        // The compiler permits a change only in the isolation of this test.
        var count = 0
        try await call(DIContainer()) { _ in
            MainActor.assertIsolated()
            count += 1
        }
        #expect(count == 1)
    }

    @Test("The container of a canceled operation is closed in a task that isn't canceled", arguments: Call.allCases)
    func canceled(_ call: Call) async throws {
        let log = Log()
        let app = DIContainer {
            Scoped(Pool())
                .onClose { (_: Pool, failure) in
                    log.add("began after \(failure is CancellationError), canceled \(Task.isCancelled)")
                    try await Task.sleep(for: .milliseconds(20))
                    log.add("ended")
                }
        }
        let task = Task {
            try await call(app) { container in
                _ = container.resolve(Pool.self)
                try await Task.sleep(for: .seconds(1_000))
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(log.all == ["began after true, canceled false", "ended"])
    }

    @Test("An operation may close its container, and closing errors are still thrown", arguments: Call.allCases)
    func closedByOperation(_ call: Call) async throws {
        let log = Log()
        await #expect(throws: CloseError.self) {
            try await call(Self.app(log, failing: true)) { container in
                _ = container.resolve(Pool.self)
                try? await container.close()
                #expect(log.all.count == 1)
            }
        }
        #expect(log.all.count == 1)
    }

    @Test("`run` closes neither the parent of its container nor the container that it copies")
    func openContainers() async throws {
        let log = Log()
        let app = Self.app(log)
        let pool = app.resolve(Pool.self)
        let containers = [
            "fork": app.fork { Shared(Ticket(number: 1)) }, "child": app.makeChild { Shared(Ticket(number: 1)) },
        ]
        for (row, container) in containers {
            try await container.run { container in
                #expect(container.resolve(Pool.self) !== pool, "\(row)")
                #expect(DIContainer.resolve(Pool.self) === container.resolve(Pool.self), "\(row)")
                #expect(DIContainer.resolve(Ticket.self).number == 1, "\(row)")
            }
        }
        #expect(log.all == ["pool ok", "pool ok"])
        #expect(app.resolve(Pool.self) === pool)
        try await app.close()
    }
}

extension ExitTests {
    @Test(
        "Rule 21: If both fail, the call throws the operation's error and reports the other",
        arguments: WithChildTests.Call.allCases)
    static func bothFail(_ call: WithChildTests.Call) async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { [call] in
            let seen = Log()
            do {
                try await call(WithChildTests.app(Log(), failing: true)) { container in
                    container.observe { event in
                        if event.kind == .closed { seen.add("\(event)") }
                    }
                    _ = container.resolve(Pool.self)
                    throw CancellationError()
                }
                preconditionFailure("The operation failed.")
            } catch is CancellationError {}
            precondition(seen.all.count == 1 && seen.all[0].contains("sabotaged"), "\(seen.all)")
        }
        let text = result.standardError
        #expect(text.contains("`\(call.rawValue)` at \(#fileID):") && text.contains("completed with 1 failure."))
        #expect(text.contains("1. Pool, by the `onClose` at \(#fileID):") && text.contains(": sabotaged"))
        #expect(text.contains("before, the operation failed: CancellationError()"))
    }
}
