import DependencyInjection
import Testing

@Suite("Rule 20: Closing a container runs its handlers (closing from inside)", .mayHang)
struct ClosingInsideTests {
    /// Closes a container, and returns the outcome as text.
    @Sendable private static func end(of container: DIContainer) async -> String {
        do {
            try await container.close()
            return "closed"
        } catch { return (error as? CloseError).map { "refused, \($0.failures.count) failures" } ?? "\(error)" }
    }

    @Test("In an asynchronous factory and its tasks, it is refused with advice, and the container stays open")
    func inFactory() async throws {
        let (log, texts) = (Log(), Log())
        let line: UInt = #line + 6
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in log.add("pool") }
            Shared(async: { resolve in
                _ = resolve(Pool.self)
                do { try await DIContainer.current.close() } catch let error as CloseError { texts.add("\(error)") }
                log.add(await Task { await Self.end(of: DIContainer.current) }.value)
                async let other = Self.end(of: DIContainer.current)
                log.add(await other)
                return Ticket(number: 1)
            })
        }
        #expect(try await app.resolve.async(Ticket.self).number == 1)
        let text = try #require(texts.all.first)
        #expect(text.contains("`close()` at \(#fileID):\(line) was called in a factory or an `onClose` of the same"))
        #expect(text.contains("fix: "))
        #expect(log.all == ["refused, 0 failures", "refused, 0 failures"])
        #expect(try app.resolve.orThrow(Ticket.self).number == 1)
        try await app.close()
        #expect(log.all.last == "pool")
    }

    @Test("In a task that a factory has left behind, it works")
    func inTaskLeftBehind() async throws {
        let (log, task) = (Log(), Checkpoint())
        let left = Locked<Task<Void, any Error>?>(nil)
        let app = DIContainer {
            Shared(async: { _ in
                let container = DIContainer.current
                left.withLock {
                    $0 = Task {
                        try await task.stop()
                        log.add(await Self.end(of: container))
                    }
                }
                return Ticket(number: 1)
            })
            .onClose { _ in log.add("ticket") }
        }
        _ = try await app.resolve.async(Ticket.self)
        task.open()
        try await left.withLock { $0 }?.value
        #expect(log.all == ["ticket", "closed"])
    }

    @Test("In an onClose or in its task, it is refused, and closing continues")
    func inOnClose() async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in
                    log.add(await Self.end(of: DIContainer.current))
                    log.add(await Task { await Self.end(of: DIContainer.current) }.value)
                }
        }
        _ = try app.resolve.orThrow(Pool.self)
        try await DIContainer.withContainer(app) { try await app.close() }
        #expect(log.all == ["refused, 0 failures", "refused, 0 failures"])
    }

    @Test("An onClose may close any other container, even the parent, without a deadlock")
    func closesParent() async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in log.add("pool") }
        }
        let child = app.makeChild {
            Shared { resolve in Unit(pool: resolve()) }
                .onClose { _ in
                    log.add("unit")
                    log.add(await Self.end(of: app))
                }
        }
        _ = try child.resolve.orThrow(Unit.self)
        try await child.close()
        #expect(log.all == ["unit", "pool", "closed"])
    }

    @Test("Two containers may close each other without a deadlock")
    func closeEachOther() async throws {
        let log = Log()
        let (first, second) = (DIContainer(), DIContainer())
        first.register(
            Shared(Pool())
                .onClose { [weak second] _ in log.add("second: \(await Self.end(of: second!))") })
        second.register(
            Shared(Pool())
                .onClose { [weak first] _ in log.add("first: \(await Self.end(of: first!))") })
        _ = try (first.resolve.orThrow(Pool.self), second.resolve.orThrow(Pool.self))
        try await first.close()
        #expect(log.all == ["first: refused, 0 failures", "second: closed"])
    }

    @Test("A handler gets open instances and its own one, and other requests fail as closed")
    func resolves() async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Ticket(number: 7))
            Scoped(Pool())
                .onClose { _ in
                    do { _ = try DIContainer.resolve.orThrow(Diesel.self) } catch { log.add("\(error)") }
                    do {
                        // The parent is open, and the unit has no handler.
                        log.add("\(try await DIContainer.resolve.async(Ticket?.self)?.number ?? 0)")
                        log.add("\(type(of: try DIContainer.resolve.orThrow(Unit.self)))")
                        log.add("\(type(of: try DIContainer.resolve.orThrow(Pool.self)))")
                    } catch { log.add("\(error)") }
                }
        }
        let child = app.makeChild {
            Shared { resolve in Unit(pool: resolve()) }
            Shared(Diesel())
        }
        _ = try child.resolve.orThrow(Unit.self)
        let line: UInt = #line + 1
        try await DIContainer.withContainer(child) { try await child.close() }
        let text = try #require(log.all.first)
        #expect(text.contains("The container is closing and can no longer be used for Diesel."))
        #expect(text.contains("closed by `close()` at \(#fileID):\(line)\n"))
        #expect(log.all.dropFirst() == ["7", "Unit", "Pool"])
        #expect(try app.resolve.orThrow(Ticket.self).number == 7)
    }

    @Test("A change in a handler is its failure, and the program continues")
    func changes() async throws {
        let log = Log()
        let line: UInt = #line + 5
        let app = DIContainer {
            Shared(Ticket(number: 7)).onClose { _ in log.add("ticket") }
            Shared(Pool())
                .onClose { [current = DIContainer.current] _ in
                    DIContainer.register(Shared(Ticket(number: 1)))
                    DIContainer.current.unregister(Pool.self)
                    DIContainer.current.reset()
                    _ = current
                    throw Sabotage()
                }
        }
        _ = try (app.resolve.orThrow(Ticket.self), app.resolve.orThrow(Pool.self))
        let error = await #expect(throws: CloseError.self) {
            try await DIContainer.withContainer(app) { try await app.close() }
        }
        let reasons = error?.failures.map { ($0.error as? ResolutionError)?.reason }
        #expect(reasons == [.closed, .closed, .closed, nil] && error?.failures.last?.error is Sabotage)
        #expect(error?.failures.allSatisfy { $0.registration.type == Pool.self } == true)
        #expect((error?.failures.first?.error as? ResolutionError)?.line == line)
        #expect(log.all == ["ticket"] && app.isRegistered(Ticket.self))
    }

    @Test("Rule 19: two requests in an onClose are two graphs")
    func graphs() async throws {
        let differ = Locked<[Bool]>([])
        let app = DIContainer { Graph(Diesel()) }
        let child = app.makeChild {
            Shared(Ticket(number: 1))
                .onClose { _ in
                    let isPlain = app.resolve(Diesel.self) !== app.resolve(Diesel.self)
                    let first = try await app.resolve.async(Diesel.self)
                    let isAwaited = try await app.resolve.async(Diesel.self) !== first
                    differ.withLock { $0 = [isPlain, isAwaited] }
                }
        }
        _ = try child.resolve.orThrow(Ticket.self)
        try await child.close()
        #expect(differ.withLock { $0 } == [true, true])
    }
}
