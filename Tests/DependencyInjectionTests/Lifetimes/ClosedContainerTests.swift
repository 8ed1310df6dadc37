import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("Rule 20: closed containers")
struct ClosedContainerTests {
    fileprivate static let closeLine: UInt = #line + 6

    private static func closedContainer() async throws -> DIContainer {
        let container = DIContainer {
            Shared(Ticket(number: 1))
                .onClose { _ in }
        }; try await container.close()
        return container
    }

    @Sendable fileprivate static func change(_ kind: Int) async throws {
        let container = try await closedContainer()
        switch kind {
        case 0: container.register(Shared(Ticket(number: 2)))
        case 1: container.register { Shared(Ticket(number: 2)).onClose { _ in } }
        case 2: container.unregister(Ticket.self)
        case 3: container.reset()
        case 4: container.resetInstances()
        case 5: _ = container.makeChild()
        case 6: DIContainer.withContainer(container) { DIContainer.register(Shared(1)) }
        case 7: _ = container.resolve(Ticket.self)
        default: DIContainer.withContainer(container) { _ = DIContainer.resolve(Ticket?.self) }
        }
    }

    @Test("an alias without a target is refused, even if only its container is closed", arguments: [true, false])
    func aliasWithoutTarget(inChild: Bool) async throws {
        let container = DIContainer { Shared(Diesel(), as: (any Engine).self) }
        container.unregister(Diesel.self)
        let child = container.makeChild()
        try await container.close()
        let resolve = inChild ? child.resolve : container.resolve
        #expect(failure { _ = try resolve.orThrow((any Engine).self) }?.reason == .closed)
    }

    @Test("a factory of another container gets an error, even for a New")
    func requestByAnother() async throws {
        let closed = DIContainer { New(Ticket(number: 1)) }
        try await closed.close()
        let other = DIContainer {
            Shared { _ in Diesel(kind: "\(try closed.resolve.orThrow(Ticket.self))") }
            Shared(async: { _ in "\(try closed.resolve.orThrow(Ticket.self))" })
        }
        #expect(failure { _ = try other.resolve.orThrow(Diesel.self) }?.reason == .closed)
        let error = await #expect(throws: ResolutionError.self) { try await other.resolve.async(String.self) }
        #expect(error?.reason == .closed)
    }

    @Test("prepare() and withChild fail with both places")
    func errors() async throws {
        let container = try await Self.closedContainer()
        let line: UInt = #line + 1
        let prepared = await #expect(throws: ResolutionError.self) { try await container.prepare() }
        let child = await #expect(throws: ResolutionError.self) { try await container.withChild { _ in } }
        let current = await #expect(throws: ResolutionError.self) {
            try await DIContainer.withContainer(container) { try await DIContainer.withChild { _ in } }
        }
        // All code inside an expectation has the line of the expectation.
        for (error, line) in [(prepared, line), (child, line + 1), (current, line + 2)] {
            let error = try #require(error)
            #expect(error.reason == .closed && error.key == "the container")
            #expect("\(error)".contains("by `close()` at \(#fileID):\(Self.closeLine)"))
            #expect("\(error)".contains("requested at \(#fileID):\(line)"))
        }
    }

    @Test("a fork of a closed container can be changed, and runs its statements again")
    func forkCloses() async throws {
        let log = Log()
        let container = DIContainer {
            Shared(Ticket(number: 1))
                .onClose { log.add("\($0.number)") }
        }
        let child = container.makeChild { Shared(Ticket(number: 2), name: "child") }
        _ = try child.resolve.orThrow(Ticket.self)
        try await child.close()
        try await container.close()
        #expect(log.all == ["1"])
        let fork = child.fork { Shared(Diesel()) }
        fork.register(Shared(Pool()))
        #expect(fork.isRegistered(Diesel.self) && fork.isRegistered(Pool.self))
        _ = try (fork.resolve.orThrow(Ticket.self), fork.resolve.orThrow(Ticket.self, name: "child"))
        try await fork.close()
        #expect(log.all == ["1", "1"])
    }
}

extension ExitTests {
    @Suite("Rule 20: closed containers, in another process") struct ClosedContainerExitTests {}
}

extension ExitTests.ClosedContainerExitTests {
    @Test("every change or plain request stops the program, and names close() and its place", arguments: 0..<9)
    func changes(_ kind: Int) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind] in
            try await ClosedContainerTests.change(kind)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let line = ClosedContainerTests.closeLine
        #expect(text.contains("The container was closed and can no longer be used"))
        #expect(text.contains("\n  closed by `close()` at \(#fileID):\(line)\n"))
        #expect(text.contains("requested at \(#fileID):\(line + 7 + UInt(kind))"))
        #expect(text.contains("`container.fork`"))
    }

    @Test("the default stays closed until another is set")
    func defaultContainer() async {
        await #expect(processExitsWith: .success) {
            DIContainer.register(Shared(Ticket(number: 1)))
            precondition(DIContainer.resolve(Ticket.self).number == 1)
            try await DIContainer.shared.close()
            precondition(failure { _ = try DIContainer.resolve.orThrow(Ticket.self) }?.kind == "closed")
            precondition(failure { _ = try DIContainer.resolve.orThrow(Car.self) }?.kind == "closed")
            DIContainer.shared = DIContainer { Shared(Ticket(number: 2)) }
            precondition(DIContainer.resolve(Ticket.self).number == 2)
        }
    }
}
