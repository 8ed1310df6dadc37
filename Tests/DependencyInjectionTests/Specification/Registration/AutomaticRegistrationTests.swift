import AutomaticRegistration
import DependencyInjection
import Synchronization
import Testing

// The conformance is in the module `AutomaticRegistration`, whose default isolation is the main actor. Each test runs
// in a process of its own, because it needs an unused default container.

extension ExitTests {
    @Suite("Rule 6: Automatic registration runs once") struct DependencyRegisteringTests {}
}

extension ExitTests.DependencyRegisteringTests {
    @Test("It runs once before the first resolution, off the main thread")
    func firstResolution() async {
        await #expect(processExitsWith: .success) {
            let instances = onThreads(raceThreads) { _ in DIContainer.resolve(AutomaticallyRegistered.self) }
            precondition(instances.allSatisfy { $0 === instances[0] })
            precondition(AutomaticallyRegistered.registrations.load(ordering: .relaxed) == 1)
        }
    }

    @Test("It runs before the first registration, which overrides it")
    func byHand() async {
        await #expect(processExitsWith: .success) {
            DIContainer.register(Shared(AutomaticallyRegistered(origin: "hand")))
            precondition(DIContainer.resolve(AutomaticallyRegistered.self).origin == "hand")
            precondition(AutomaticallyRegistered.registrations.load(ordering: .relaxed) == 1)
        }
    }

    @Test("It registers in the default container even if another is current")
    func insideScope() async {
        await #expect(processExitsWith: .success) {
            let other = DIContainer()
            DIContainer.withContainer(other) {
                precondition(DIContainer.shared.isRegistered(AutomaticallyRegistered.self))
            }
            precondition(!other.isRegistered(AutomaticallyRegistered.self))
        }
    }

    @Test("It doesn't run for a default that is set before the first use")
    func replaced() async {
        await #expect(processExitsWith: .success) {
            DIContainer.shared = DIContainer { Shared("mine") }
            precondition(DIContainer.resolve(String.self) == "mine")
            precondition(!DIContainer.shared.isRegistered(AutomaticallyRegistered.self))
            precondition(AutomaticallyRegistered.registrations.load(ordering: .relaxed) == 0)
        }
    }

    @Test("It may set the default itself, which is then used as it is")
    func replacing() async {
        await #expect(processExitsWith: .success) {
            AutomaticallyRegistered.replacement.withLock { $0 = { DIContainer { Shared("mine") } } }
            precondition(DIContainer.resolve(String.self) == "mine")
            precondition(!DIContainer.shared.isRegistered(AutomaticallyRegistered.self))
            precondition(AutomaticallyRegistered.registrations.load(ordering: .relaxed) == 1)
            DIContainer.register(Shared("later"))
            precondition(DIContainer.shared.resolve(String.self) == "later")
        }
    }

    @Test("Rules 6, 16: it runs even on a nearly exhausted stack")
    func littleStack() async {
        await #expect(processExitsWith: .success) {
            let other = DIContainer {
                New { _ in untilLittleIsLeft { DIContainer.shared.isRegistered(AutomaticallyRegistered.self) } }
            }
            let isRegistered = BackgroundThread(stackSize: 512 << 10) { other.resolve(Bool.self) }.result()
            precondition(isRegistered == true && !other.isRegistered(AutomaticallyRegistered.self))
        }
    }
}

/// Calls itself until 410 of 512 KiB of the stack are in use, then runs the work.
@inline(never) private func untilLittleIsLeft(from top: UInt? = nil, _ work: () -> Bool) -> Bool {
    // An allocation of dynamic size is on the stack, even if a sanitizer stores variables elsewhere.
    withUnsafeTemporaryAllocation(byteCount: .random(in: 512...513), alignment: 16) { memory in
        let here = UInt(bitPattern: memory.baseAddress)
        let top = top ?? here
        return top - here > 410 << 10 ? work() : untilLittleIsLeft(from: top, work)
    }
}
