import DependencyInjection
import Testing

extension ExitTests {
    @Suite("Deep graphs") struct DepthTests {}
}

extension ExitTests.DepthTests {
    /// The stack size of secondary threads on Apple platforms.
    private static let smallStack = 512 << 10

    /// A chain of tickets, each of which depends on the next. The first one is named "0".
    private static func chain(_ length: Int) -> DIContainer {
        DIContainer {
            Shared(Ticket(number: 1), name: RegistrationName("\(length)"))
            for index in 0..<length {
                Shared(name: RegistrationName("\(index)")) { resolve in
                    try resolve.orThrow(Ticket.self, name: RegistrationName("\(index + 1)"))
                }
            }
        }
    }

    /// Resolves on a small stack, and returns the error or nil.
    private static func failureOnSmallStack(
        _ container: DIContainer, _ name: RegistrationName? = nil
    ) -> ResolutionError? {
        let outcome = BackgroundThread(stackSize: smallStack) {
            failure { _ = try container.resolve.orThrow(Ticket.self, name: name) }
        }.result()
        guard let outcome else { preconditionFailure("It does not end.") }
        return outcome
    }

    @Test("Rule 16: a chain of factories uses little stack, even built from its end")
    func stepByStep() async {
        // In a process of its own, because an overflow of the stack ends the process.
        await #expect(processExitsWith: .success) {
            precondition(Self.failureOnSmallStack(Self.chain(20), "0") == nil)
            let container = Self.chain(2_000)
            for index in stride(from: 2_000, through: 0, by: -5) {
                precondition(Self.failureOnSmallStack(container, RegistrationName("\(index)")) == nil)
            }
        }
    }

    @Test("Rule 16: aliases in a thousand containers are not a cycle on a small stack")
    func aliases() async {
        await #expect(processExitsWith: .success) {
            var container = DIContainer { Shared(Ticket(number: 7)) }
            for _ in 0..<1_000 {
                container = container.makeChild {
                    Shared(Ticket(number: 0), as: (any Sendable).self)
                    Decorate((any Sendable).self) { base, _ in base }
                }
                container.unregister(Ticket.self)
            }
            precondition(Self.failureOnSmallStack(container) == nil)
            precondition((container.resolve((any Sendable).self) as? Ticket)?.number == 7)
        }
    }
}
