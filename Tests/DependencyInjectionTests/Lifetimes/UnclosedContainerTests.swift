import DependencyInjection
import Testing

@Suite("Rule 20: a container that is dropped without being closed")
struct UnclosedContainerTests {
    private final class Part: Sendable {
        let name: String
        private let log: Log

        init(_ name: String, _ log: Log) {
            self.name = name
            self.log = log
        }

        deinit { log.add(name) }
    }

    private static let closerLine: UInt = #line + 7

    @Sendable private static func drop(_ kind: Int) async throws {
        let container = DIContainer {
            Shared { resolve in Unit(pool: resolve()) }
            Shared(Pool())
            OnClose(Pool.self) { _ in preconditionFailure("Nobody has closed the container.") }
            OnClose(Unit.self) { _ in preconditionFailure("Nobody has closed the container.") }
        }
        switch kind {
        case 0: _ = container.resolve(Unit.self)
        case 1:
            let resolver = container.resolve
            _ = resolver(Unit.self)
        case 2:
            _ = container.resolve(Unit.self)
            container.reset()
        case 3:
            let child = container.makeChild { Shared { resolve in Unit(pool: resolve()) } }
            _ = (child.resolve(Pool.self), child.resolve(Unit.self))
        case 4: _ = container.fork().resolve(Unit.self)
        case 5:
            DIContainer.withContainer(container) {
                DIContainer.withOverrides({}) { _ = DIContainer.resolve(Unit.self) }
            }
        case 6: break
        case 7:
            let prepared = DIContainer()
            try await prepared.prepare {
                Shared(async: { _ in Pool() })
                OnClose(Pool.self) { _ in }
            }
            try await prepared.close()
        default:
            _ = container.fork().resolve(Unit.self)
            let copy = container.makeChild()
            _ = copy.fork().resolve(Unit.self)
        }
    }

    @Test("says on standard error in a debug build which of its statements did not run", arguments: 0..<4)
    func isReported(_ kind: Int) async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { [kind] in
            try await Self.drop(kind)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #if DEBUG
            #expect(text.contains("A container went without being closed, and so did what it had opened:"))
            #expect(text.contains("Pool  (registered at \(#fileID):\(Self.closerLine - 1))"))
            #expect(text.contains("Unit  (registered at \(#fileID):\(Self.closerLine))") == (kind != 3))
            #expect(text.contains("  fix: call `try await container.close()`"))
        #else
            #expect(text.isEmpty)
        #endif
    }

    @Test(
        "says nothing of forks, of overrides, of what was not built, and of what was prepared and closed",
        arguments: 4..<9)
    func isSilent(_ kind: Int) async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { [kind] in
            try await Self.drop(kind)
        }
        #expect(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self) == "")
    }

    @Sendable private static func dropWithLateStatement() {
        let container = DIContainer { Shared(Pool()) }
        _ = container.resolve(Pool.self)
        container.register(OnClose(Pool.self) { _ in })
    }

    @Test("also names what was registered after the instance was built")
    func lateStatement() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Self.dropWithLateStatement()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #if DEBUG
            #expect(text.contains("Pool  (registered at "))
        #endif
    }

    @Test("releases what it kept in the reverse of the order of building", arguments: [true, false])
    func order(holdsResolver: Bool) {
        let log = Log()
        var resolver: Resolver?
        func run() {
            // A fork says nothing on standard error.
            let container = DIContainer { OnClose(Part.self) { _ in } }.fork()
            for number in 0..<4 {
                container.register {
                    Shared(Part("\(number)", log))
                    Shared(Part("other \(number)", log), name: RegistrationName("\(number)"))
                }
                _ = container.resolve(Part.self)
                _ = container.resolve(Part.self, name: RegistrationName("\(number)"))
            }
            if holdsResolver { resolver = container.resolve }
        }
        run()
        #expect(log.all == (0..<4).reversed().flatMap { ["other \($0)", "\($0)"] })
        withExtendedLifetime(resolver) {}
    }

    @Test("releases what it kept outside of its queue, so that a deinit may wait for a thread that asks")
    func releasesOutsideQueue() {
        final class Waiter: Sendable {
            let resolver: Resolver
            init(_ resolver: Resolver) { self.resolver = resolver }
            deinit {
                let answer = Elsewhere { [resolver] in try? resolver.orThrow(Ticket.self).number }
                #expect(answer.result() == 1)
            }
        }
        func run() {
            let container = DIContainer {
                OnClose(Waiter.self) { _ in }
                Shared { resolve in Waiter(resolve) }
                Shared(Ticket(number: 1))
            }.fork()
            _ = container.resolve(Waiter.self)
            container.unregister(Waiter.self)
        }
        run()
    }
}
