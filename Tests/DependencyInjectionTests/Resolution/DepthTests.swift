import DependencyInjection
import Testing

@Suite("Depth")
struct DepthTests {
    /// The stack that Apple's platforms give to every thread but the main one.
    private static let smallStack = 512 << 10

    /// Tickets that each take another, the last but for itself: the first is named "0".
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

    /// Resolves on a small stack: nil if that works, else the error.
    private static func failureOnSmallStack(
        _ container: DIContainer, _ name: RegistrationName? = nil
    ) -> ResolutionError? {
        let outcome = Elsewhere(stackSize: smallStack) {
            failure { _ = try container.resolve.orThrow(Ticket.self, name: name) }
        }.result()
        guard let outcome else { preconditionFailure("It does not end.") }
        return outcome
    }

    @Test("Rule 16: a chain of factories, and one that is built step by step from its end, need little stack")
    func stepByStep() async {
        // In a process of its own, which would end with the stack.
        await #expect(processExitsWith: .success) {
            precondition(Self.failureOnSmallStack(Self.chain(20), "0") == nil)
            let container = Self.chain(2_000)
            for index in stride(from: 2_000, through: 0, by: -5) {
                precondition(Self.failureOnSmallStack(container, RegistrationName("\(index)")) == nil)
            }
        }
    }

    /// Containers, each the child of the one before, that decorate a ticket as often as this.
    private static func decorated(_ levels: Int) -> [DIContainer] {
        (0..<levels).reduce(into: [DIContainer { Shared(Ticket(number: 0)) }]) { all, _ in
            all.append(
                all[all.count - 1].makeChild {
                    Decorate(Ticket.self) { base, _ in Ticket(number: base.number + 1) }
                })
        }
    }

    @Test(
        "Rule 16: decorators of 16 parents wrap one another, on a small stack, too; more of them are a cycle",
        arguments: [16, 17, 1_000])
    func decorators(_ levels: Int) async {
        await #expect(processExitsWith: .success) { [levels] in
            let all = Self.decorated(levels)
            let error = Self.failureOnSmallStack(all[levels])
            precondition(error?.reason == (levels <= 16 ? nil : .cycle), "\(String(describing: error))")
            precondition(Self.failureOnSmallStack(all[16 - 1]) == nil)
            if levels <= 16 { precondition(all[levels].resolve(Ticket.self).number == levels) }
            precondition(all[levels].isRegistered(Ticket.self))
        }
    }
}
