import DependencyInjection
import Testing

@Suite("Rule 20: a container that is released without being closed", .mayHang, .ownThread)
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

    @Test("releases its instances in reverse order of construction", arguments: [true, false])
    func order(holdsResolver: Bool) {
        let log = Log()
        var resolver: Resolver?
        func run() {
            // The release of a fork reports nothing.
            let container = DIContainer().fork()
            for number in 0..<4 {
                container.register {
                    Shared(Part("\(number)", log)).onClose { _ in }
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

    @Test("releases its instances outside of its queue, so a deinit may wait for a thread")
    func releasesOutsideQueue() {
        final class Waiter: Sendable {
            let resolver: Resolver
            init(_ resolver: Resolver) { self.resolver = resolver }
            deinit {
                let request = BackgroundThread { [resolver] in try? resolver.orThrow(Ticket.self).number }
                #expect(request.result() == 1)
            }
        }
        func run() {
            let container = DIContainer {
                Shared { resolve in Waiter(resolve) }
                    .onClose { _ in }
                Shared(Ticket(number: 1))
            }.fork()
            _ = container.resolve(Waiter.self)
            container.unregister(Waiter.self)
        }
        run()
    }
}

extension ExitTests {
    @Suite("Rule 20: a container that is released without being closed, in another process")
    struct UnclosedContainerExitTests {}
}

extension ExitTests.UnclosedContainerExitTests {
    private static let stored = Locked<Resolver?>(nil)
    private static let firstLine: UInt = #line + 6

    @Sendable private static func release(_ kind: Int) async throws {
        // Otherwise a long wait on a busy machine is reported on standard error.
        DIContainer.deadlockWarningDelay = nil
        let container = DIContainer {
            Shared { resolve in Unit(pool: resolve()) }
                .onClose { _ in preconditionFailure("Nobody has closed the container.") }
            Shared(Pool())
                .onClose { _ in preconditionFailure("Nobody has closed the container.") }
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
        case 4:
            // The resolver retains the container's registrations until the end of the program.
            stored.withLock { $0 = container.resolve }
            _ = container.resolve(Unit.self)
        case 5: _ = container.fork().resolve(Unit.self)
        case 6:
            DIContainer.withContainer(container) {
                DIContainer.withOverrides({}) { _ = DIContainer.resolve(Unit.self) }
            }
        case 7: break
        default:
            _ = container.fork().resolve(Unit.self)
            let copy = container.makeChild()
            _ = copy.fork().resolve(Unit.self)
        }
    }

    @Test("reports unclosed instances on standard error in a debug build", arguments: 0..<5)
    func isReported(_ kind: Int) async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { [kind] in
            try await Self.release(kind)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #if DEBUG
            #expect(text.contains("A container was released without being closed. `onClose` handlers did not run for:"))
            #expect(text.contains("Pool  (registered at \(#fileID):\(Self.firstLine + 2))"))
            #expect(
                text.contains("Unit  (registered at \(#fileID):\(Self.firstLine))") == (kind != 3))
            #expect(text.contains("  fix: call `try await container.close()`"))
        #else
            #expect(text.isEmpty)
        #endif
    }

    @Test("doesn't report forks, overrides and types without an instance")
    func isSilent() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            for kind in 5..<9 { try await Self.release(kind) }
        }
        #expect(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self) == "")
    }
}
