import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("Rule 21: A child can be created for an operation", .mayHang)
struct WithChildTests {
    private enum Place {
        @TaskLocal static var name = "nowhere"
    }

    fileprivate static func app(_ log: Log, failing: Bool = false) -> DIContainer {
        DIContainer {
            Scoped(Pool())
                .onClose { (_: Pool, failure) in
                    log.add("pool \(failure.map { "after \($0)" } ?? "ok") at \(Place.name)")
                    if failing { throw Sabotage() }
                }
        }
    }

    @Test("is current in the operation, and closed when that returns")
    func returns() async throws {
        let log = Log()
        let app = Self.app(log)
        let child = try await app.withChild {
            Shared(Ticket(number: 1))
        } operation: { child in
            #expect(DIContainer.resolve(Ticket.self).number == 1)
            #expect(DIContainer.resolve(Pool.self) === child.resolve(Pool.self))
            #expect(log.all.isEmpty)
            return child
        }
        #expect(log.all == ["pool ok at nowhere"])
        #expect(failure { _ = try child.resolve.orThrow(Ticket.self) }?.kind == "closed")
        #expect(try app.resolve.orThrow(Pool.self) === app.resolve.orThrow(Pool.self))
        try await app.close()
    }

    @Test("its static form creates a child of the current container")
    func isStatic() async throws {
        let log = Log()
        try await DIContainer.withContainer(Self.app(log)) {
            try await DIContainer.withChild {
                Shared(Ticket(number: 1))
            } operation: { _ in
                _ = DIContainer.resolve(Pool.self)
                try await DIContainer.withChild { child in
                    _ = child.resolve(Pool.self)
                    #expect(child.resolve(Ticket.self).number == 1)
                }
                #expect(log.all.count == 1)
            }
        }
        #expect(log.all == ["pool ok at nowhere", "pool ok at nowhere"])
    }

    @Test("is closed with the operation's error, which the caller gets")
    func throwing() async throws {
        let log = Log()
        let app = Self.app(log)
        await #expect(throws: Sabotage.self) {
            try await app.withChild { child in
                _ = child.resolve(Pool.self)
                throw Sabotage()
            }
        }
        #expect(log.all == ["pool after sabotaged at nowhere"])
    }

    @Test("the operation's result is not returned if closing failed")
    func closingFails() async throws {
        let log = Log()
        let app = Self.app(log, failing: true)
        let line: UInt = #line + 1
        let error = await #expect(throws: CloseError.self) {
            try await app.withChild { child in
                _ = child.resolve(Pool.self)
                return 1
            }
        }
        #expect(error?.failures.map { $0.error is Sabotage } == [true])
        #expect(
            "\(try #require(error))".contains("`withChild` at \(#fileID):\(line) completed with 1 failure."))
        #expect("\(try #require(error))".contains("1. Pool, by the `onClose` at \(#fileID):"))
    }

    @Test("runs the operation on the caller's actor, and the onClose with its task locals")
    @MainActor
    func isolation() async throws {
        let log = Log()
        let app = Self.app(log)
        try await Place.$name.withValue("here") {
            try await app.withChild { child in
                MainActor.assertIsolated()
                _ = child.resolve(Pool.self)
                #expect(Place.name == "here")
            }
        }
        #expect(log.all == ["pool ok at here"])
    }

    @Test("closes the child of a canceled operation in a task that isn't canceled")
    func canceled() async throws {
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
            try await app.withChild { child in
                _ = child.resolve(Pool.self)
                try await Task.sleep(for: .seconds(1_000))
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        // If the task is canceled before it begins, it may not build the pool.
        #expect(log.all == ["began after true, canceled false", "ended"])
    }

    @Test("an operation may close its child itself, and closing errors are still thrown")
    func closedByOperation() async throws {
        let log = Log()
        let app = Self.app(log, failing: true)
        await #expect(throws: CloseError.self) {
            try await app.withChild { child in
                _ = child.resolve(Pool.self)
                try? await child.close()
                #expect(log.all.count == 1)
            }
        }
        #expect(log.all.count == 1)
    }
}

extension ExitTests {
    @Suite("Rule 21: A child can be created for an operation (in another process)") struct WithChildExitTests {}
}

extension ExitTests.WithChildExitTests {
    @Test("if both fail, it throws the operation's error and reports the other")
    func bothFail() async throws {
        let result = try #require(
            await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                struct Own: Error {}
                let seen = Log()
                let app = WithChildTests.app(Log(), failing: true)
                do {
                    try await app.withChild { child in
                        child.observe { event in
                            if event.kind == .closed { seen.add("\(event)") }
                        }
                        _ = child.resolve(Pool.self)
                        throw Own()
                    }
                    preconditionFailure("The operation failed.")
                } catch is Own {}
                precondition(seen.all.count == 1 && seen.all[0].contains("sabotaged"), "\(seen.all)")
            })
        let text = standardError(of: result)
        #expect(text.contains("completed with 1 failure."))
        #expect(text.contains("1. Pool, by the `onClose` at \(#fileID):") && text.contains(": sabotaged"))
        #expect(text.contains("before, the operation failed: Own()"))
    }
}

@Suite("Rule 21: A child can be created for an operation (run)")
struct RunTests {
    private enum Place {
        @TaskLocal static var name = "nowhere"
    }

    fileprivate static func app(_ log: Log, failing: Bool = false) -> DIContainer {
        DIContainer {
            Shared(Pool())
                .onClose { (_: Pool, failure) in
                    log.add("pool \(failure.map { "after \($0)" } ?? "ok") at \(Place.name)")
                    if failing { throw Sabotage() }
                }
        }
    }

    @Test("is current in the operation, and closed when that returns")
    func returns() async throws {
        let log = Log()
        let app = Self.app(log)
        let number = try await app.run { container in
            #expect(container === app)
            #expect(DIContainer.resolve(Pool.self) === app.resolve(Pool.self))
            #expect(log.all.isEmpty)
            return 42
        }
        #expect(number == 42)
        #expect(log.all == ["pool ok at nowhere"])
        #expect(failure { _ = try app.resolve.orThrow(Pool.self) }?.kind == "closed")
        #expect(DIContainer.current !== app)
    }

    @Test("is closed with the operation's error, which the caller gets")
    func throwing() async throws {
        let log = Log()
        await #expect(throws: Sabotage.self) {
            try await Self.app(log).run { app in
                _ = app.resolve(Pool.self)
                throw Sabotage()
            }
        }
        #expect(log.all == ["pool after sabotaged at nowhere"])
    }

    @Test("a failed preparation closes what it has built")
    func failedPreparation() async throws {
        let log = Log()
        let app = DIContainer {
            Shared(async: { _ in Pool() })
                .onClose { (_: Pool, failure) in log.add("closed after \(failure is PreparationError)") }
            Shared { resolve throws -> Ticket in
                _ = try resolve.orThrow(Pool.self)
                throw Sabotage()
            }
        }
        let error = await #expect(throws: PreparationError.self) {
            try await app.run { app in
                try await app.prepare(.all)
                log.add("served")
            }
        }
        #expect(error?.failures.count == 1)
        #expect(log.all == ["closed after true"])
    }

    @Test("the operation's result is not returned if closing failed")
    func closingFails() async throws {
        let app = Self.app(Log(), failing: true)
        let line: UInt = #line + 1
        let error = await #expect(throws: CloseError.self) {
            try await app.run { app in
                _ = app.resolve(Pool.self)
                return 1
            }
        }
        #expect(error?.failures.map { $0.error is Sabotage } == [true])
        #expect("\(try #require(error))".contains("`run` at \(#fileID):\(line) completed with 1 failure."))
    }

    @Test("runs the operation on the caller's actor, and the onClose with its task locals")
    @MainActor
    func isolation() async throws {
        final class Count { var value = 0 }
        let count = Count()
        let log = Log()
        try await Place.$name.withValue("here") {
            try await Self.app(log).run { app in
                MainActor.assertIsolated()
                count.value += 1
                _ = app.resolve(Pool.self)
                #expect(Place.name == "here")
            }
        }
        #expect(count.value == 1)
        #expect(log.all == ["pool ok at here"])
    }

    @Test("closes in a task that isn't canceled, even if the operation was")
    func canceled() async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Pool())
                .onClose { (_: Pool, failure) in
                    log.add("after \(failure is CancellationError), canceled \(Task.isCancelled)")
                }
        }
        let task = Task {
            try await app.run { app in
                _ = app.resolve(Pool.self)
                try await Task.sleep(for: .seconds(1_000))
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(log.all == ["after true, canceled false"])
    }

    @Test("an operation may close the container itself, and closing errors are still thrown")
    func closedByOperation() async throws {
        let log = Log()
        let app = Self.app(log, failing: true)
        await #expect(throws: CloseError.self) {
            try await app.run { app in
                _ = app.resolve(Pool.self)
                try? await app.close()
                #expect(log.all.count == 1)
            }
        }
        #expect(log.all.count == 1)
    }

    @Test("closes a fork, but not the container that it copies")
    func fork() async throws {
        let log = Log()
        let app = Self.app(log)
        let pool = app.resolve(Pool.self)
        try await app.fork { Shared(Ticket(number: 1)) }.run { fork in
            #expect(fork.resolve(Pool.self) !== pool)
            #expect(DIContainer.resolve(Ticket.self).number == 1)
        }
        #expect(log.all == ["pool ok at nowhere"])
        #expect(app.resolve(Pool.self) === pool)
        try await app.close()
    }

    @Test("closes a child that outlived the function that created it, but not its parent")
    func child() async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Ticket(number: 1)).onClose { _ in log.add("ticket") }
            Scoped { resolve in
                _ = resolve(Ticket.self)
                return Pool()
            }
            .onClose { (_: Pool) in log.add("pool") }
        }
        func begin() -> DIContainer {
            let child = app.makeChild()
            _ = child.resolve(Pool.self)
            return child
        }
        let child = begin()
        try await child.run { child in
            #expect(DIContainer.resolve(Pool.self) === child.resolve(Pool.self))
        }
        #expect(log.all == ["pool"])
        #expect(app.resolve(Ticket.self).number == 1)
        try await app.close()
        #expect(log.all == ["pool", "ticket"])
    }
}

extension ExitTests {
    @Suite("Rule 21: A child can be created for an operation (run, in another process)") struct RunExitTests {}
}

extension ExitTests.RunExitTests {
    @Test("if both fail, it throws the operation's error and reports the other")
    func bothFail() async throws {
        let result = try #require(
            await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                struct Own: Error {}
                let seen = Log()
                let app = RunTests.app(Log(), failing: true)
                app.observe { event in
                    if event.kind == .closed { seen.add("\(event)") }
                }
                do {
                    try await app.run { app in
                        _ = app.resolve(Pool.self)
                        throw Own()
                    }
                    preconditionFailure("The operation failed.")
                } catch is Own {}
                precondition(seen.all.count == 1 && seen.all[0].contains("sabotaged"), "\(seen.all)")
            })
        let text = standardError(of: result)
        #expect(text.contains("`run` at \(#fileID):"))
        #expect(text.contains("1. Pool, by the `onClose` at \(#fileID):") && text.contains(": sabotaged"))
        #expect(text.contains("before, the operation failed: Own()"))
    }
}
