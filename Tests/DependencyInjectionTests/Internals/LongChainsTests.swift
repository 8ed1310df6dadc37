import DependencyInjection
import Testing

@testable import DependencyInjectionDiagnostics

extension ExitTests {
    /// Each test runs on a small stack, in a process of its own, because an overflow ends the process.
    @Suite("Long chains of factories, aliases and parents, and many observers, use little stack")
    struct LongChainTests {}
}

extension ExitTests.LongChainTests {
    /// The stack size of secondary threads on Apple platforms.
    private static let smallStack = 512 << 10

    /// Returns the last child in a chain of containers. Every tenth container has a registration, and every hundredth a
    /// decorator.
    private static func last(of parents: Int) -> DIContainer {
        (0..<parents).reduce(DIContainer { Shared("base") }) { parent, index in
            parent.makeChild {
                if index.isMultiple(of: 10) { Shared(index, name: RegistrationName("\(index)")) }
                if index.isMultiple(of: 100) { Decorate(String.self) { base, _ in base + "." } }
            }
        }
    }

    /// Runs work on a small stack, and expects that it returns.
    private static func onSmallStack(_ work: @escaping @Sendable () -> Void) {
        precondition(BackgroundThread(stackSize: smallStack, work).result() != nil, "It does not end.")
    }

    @Test("Rule 16: with a chain of factories, even built from its end")
    func factories() async {
        await #expect(processExitsWith: .success) {
            for (length, step) in [(20, 20), (2_000, 5)] {
                let chain = DIContainer {
                    Shared(Ticket(number: 1), name: RegistrationName("\(length)"))
                    for index in 0..<length {
                        Shared(name: RegistrationName("\(index)")) { resolve in
                            try resolve.orThrow(Ticket.self, name: RegistrationName("\(index + 1)"))
                        }
                    }
                }
                for index in stride(from: length, through: 0, by: -step) {
                    Self.onSmallStack { _ = chain.resolve(Ticket.self, name: RegistrationName("\(index)")) }
                }
            }
        }
    }

    @Test("Rule 16: with aliases in a thousand containers, which are not a cycle")
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
            let last = container
            Self.onSmallStack { precondition(last.resolve((any Sendable).self) as? Ticket == Ticket(number: 7)) }
        }
    }

    @Test("where a child with 500 parents is forked")
    func fork() async {
        await #expect(processExitsWith: .success) {
            let child = Self.last(of: 500)
            Self.onSmallStack {
                let fork = child.fork()
                precondition(fork.isRegistered(Int.self, name: "0") && fork.isRegistered(Int.self, name: "490"))
                precondition(fork.resolve(String.self) == "base.....")
            }
        }
    }

    @Test("where a child with 3,000 parents is printed, listed, validated and copied")
    func listing() async {
        await #expect(processExitsWith: .success) {
            let child = Self.last(of: 3_000)
            Self.onSmallStack {
                let text = String(describing: child)
                precondition(text == "DIContainer with 301 registrations", text)
            }
            Self.onSmallStack { precondition(child.registrations.count == 301, "\(child.registrations.count)") }
            Self.onSmallStack {
                let error = failure { _ = try child.validate() }
                precondition(error == nil, "\(String(describing: error))")
            }
            Self.onSmallStack {
                let copy = ContainerCopy(of: child, takingOverFrom: ContainerCopy(of: child))
                withExtendedLifetime(copy) {}
            }
        }
    }

    @Test("with the release of a child that has 3,000 parents, even with a live resolver", arguments: [true, false])
    func release(_ isHeld: Bool) async {
        await #expect(processExitsWith: .success) { [isHeld] in
            Self.onSmallStack {
                let released = Counter()
                var last: DIContainer? = DIContainer { Shared { _ in Tracked(released) } }
                _ = last?.resolve(Tracked.self)
                for _ in 0..<3_000 { last = last?.makeChild() }
                let resolver = isHeld ? last?.resolve : nil
                precondition(released.count == 0)
                last = nil
                precondition(released.count == 1, "The first container is not released.")
                withExtendedLifetime(resolver) {}
            }
        }
    }

    @Test("with 10,000 observers that are notified and canceled")
    func observers() async {
        await #expect(processExitsWith: .success) {
            Self.onSmallStack {
                let container = DIContainer()
                let told = Counter()
                let observations = (0..<10_000).map { _ in container.observe { _ in told.increment() } }
                container.register(Shared(1))
                precondition(told.count == 10_000, "\(told.count)")
                for index in [0, 5_000, 9_999] { observations[index].cancel() }
                container.register(Shared(2))
                precondition(told.count == 19_997, "\(told.count)")
            }
        }
    }
}
