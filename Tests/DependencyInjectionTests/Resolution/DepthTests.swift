import DependencyInjection
import Testing

// Each test has a small stack to run out of, in a process of its own, which would end with it.

private func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
}

@Suite("Depth")
struct DepthTests {
    /// The stack that Apple's platforms give to every thread but the main one.
    private static let smallStack = 512 << 10

    /// Tickets that each take another, the last but for itself: the first is named "0".
    private static func chain(_ length: Int, isShared: Bool) -> DIContainer {
        DIContainer {
            Shared(Ticket(number: 1), name: RegistrationName("\(length)"))
            for index in 0..<length {
                let name = RegistrationName("\(index)")
                let next = RegistrationName("\(index + 1)")
                if isShared {
                    Shared(name: name) { resolve in try resolve.orThrow(Ticket.self, name: next) }
                } else {
                    New(name: name) { resolve in try resolve.orThrow(Ticket.self, name: next) }
                }
            }
        }
    }

    /// Resolves on a small stack: nil if that works, else the error.
    private static func failureOnSmallStack(_ container: DIContainer, _ name: RegistrationName) -> ResolutionError? {
        let outcome = Elsewhere(stackSize: smallStack) {
            failure { _ = try container.resolve.orThrow(Ticket.self, name: name) }
        }.result()
        guard let outcome else { preconditionFailure("It does not end.") }
        return outcome
    }

    @Test("Rule 16: a graph too deep for the stack is an error that shows the path", arguments: [true, false])
    func tooDeep(_ isShared: Bool) async {
        await #expect(processExitsWith: .success) { [isShared] in
            let container = Self.chain(20_000, isShared: isShared)
            guard let error = Self.failureOnSmallStack(container, "0") else {
                preconditionFailure("20,000 levels fit 512 KiB")
            }
            precondition(error.description.contains("too deep"), error.description)
            precondition(error.path.first?.key == #"Ticket named "0""#, error.description)
            precondition(error.path.count > 10, error.description)
            // The error leaves the container as it was, and the nearer part of the graph resolves.
            precondition(Self.failureOnSmallStack(container, "19995") == nil)
            precondition(Self.failureOnSmallStack(container, "0")?.description.contains("too deep") == true)
        }
    }

    @Test(
        "Rule 16: a chain of any length is built on a small stack, or is too deep, and does not crash",
        arguments: [60, 125, 250, 500, 1_000])
    func anyLength(_ length: Int) async {
        await #expect(processExitsWith: .success) { [length] in
            for isShared in [true, false] {
                let error = Self.failureOnSmallStack(Self.chain(length, isShared: isShared), "0")
                precondition(error?.description.contains("too deep") ?? true, error?.description ?? "")
            }
        }
    }

    @Test("Rule 16: what is built step by step from its end does not count as deep")
    func stepByStep() async {
        await #expect(processExitsWith: .success) {
            let container = Self.chain(2_000, isShared: true)
            for index in stride(from: 2_000, through: 0, by: -5) {
                precondition(Self.failureOnSmallStack(container, RegistrationName("\(index)")) == nil)
            }
        }
    }

    @Test("Rule 16: an endless recursion through fresh forks is too deep, with the path")
    func forks() async {
        await #expect(processExitsWith: .success) {
            let container = DIContainer {
                Shared { _ -> Ticket in
                    try DIContainer.withOverrides({ Shared("override") }) {
                        try DIContainer.resolve.orThrow(Ticket.self)
                    }
                }
            }
            let outcome = Elsewhere(stackSize: Self.smallStack) {
                failure { _ = try container.resolve.orThrow(Ticket.self) }
            }.result()
            guard let error = outcome ?? nil else { preconditionFailure("It does not end, or not with an error.") }
            precondition(error.description.contains("too deep"), error.description)
            precondition(error.path.count > 5 && error.path.allSatisfy { $0.key == "Ticket" }, error.description)
        }
    }

    @Test("Rule 16: a plain request in a graph too deep stops the program with a text, and not for want of stack")
    func trap() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = DIContainer {
                Shared { _ -> Ticket in
                    DIContainer.withOverrides({ Shared("override") }) { DIContainer.resolve(Ticket.self) }
                }
            }
            _ = Elsewhere(stackSize: Self.smallStack) { container.resolve(Ticket.self) }.result()
        }
        #expect(text(result).contains("too deep"))
        #expect(text(result).contains("Ticket  (registered at"))
    }

    /// A container whose ticket each of many parents decorates.
    private static func decorated(_ levels: Int, _ wrapped: Counter = Counter()) -> [DIContainer] {
        (0..<levels).reduce(into: [DIContainer { Shared(Ticket(number: 0)) }]) { all, _ in
            all.append(
                all[all.count - 1].makeChild {
                    Decorate(Ticket.self) { base, _ in
                        wrapped.increment()
                        return Ticket(number: base.number + 1)
                    }
                })
        }
    }

    @Test(
        "Rule 16: decorators of any number of parents are built on a small stack, or too deep, and do not crash",
        arguments: [200, 400, 1_000])
    func decorators(_ levels: Int) async {
        await #expect(processExitsWith: .success) { [levels] in
            let all = Self.decorated(levels)
            let error = Elsewhere(stackSize: Self.smallStack) { [last = all[levels]] in
                failure { _ = try last.resolve.orThrow(Ticket.self) }
            }.result()
            precondition(error != nil && (error??.reason ?? .tooDeep) == .tooDeep, "\(String(describing: error))")
            precondition(levels < 1_000 || error??.reason == .tooDeep)
            precondition(all[levels].isRegistered(Ticket.self))
        }
    }

    /// Enough containers, and so little stack, that a thread cannot look at the decorators of all of them.
    private static let manyLevels = 350
    private static let tinyStack = 128 << 10
    private static let largeStack = 64 << 20

    @Test("Rules 7, 16: a change on a stack too small to look at all decorators makes no child wrap again")
    func changeOnSmallStack() async {
        await #expect(processExitsWith: .success) {
            let wrapped = Counter()
            let all = Self.decorated(Self.manyLevels, wrapped)
            let last = all[Self.manyLevels]
            func number() -> Int? {
                Elsewhere(stackSize: Self.largeStack) { last.resolve(Ticket.self).number }.result()
            }
            precondition(number() == Self.manyLevels && wrapped.count == Self.manyLevels)
            let isChanged = Elsewhere(stackSize: Self.tinyStack) {
                last.register(Shared(1))
                return true
            }
            precondition(isChanged.result() == true)
            precondition(number() == Self.manyLevels)
            precondition(wrapped.count == Self.manyLevels, "\(wrapped.count - Self.manyLevels) are wrapped again")
        }
    }

    @Test("Rules 1, 16: what is outdated, and a small stack is too small to find, goes at the next request for it")
    func outdatedOnSmallStack() async {
        await #expect(processExitsWith: .success) {
            struct Kept: Sendable { weak let engine: Diesel? }
            let all = (0..<Self.manyLevels).reduce(into: [DIContainer { Shared(Diesel()) }]) { all, _ in
                all.append(all[all.count - 1].makeChild { Decorate(Diesel.self) { _, _ in Diesel() } })
            }
            let last = all[Self.manyLevels]
            let building = Elsewhere(stackSize: Self.largeStack) { Kept(engine: last.resolve(Diesel.self)) }
            let old = building.result()
            precondition(old?.engine != nil)
            all[0].unregister(Diesel.self)
            // The child notices here, and cannot tell what is outdated.
            let isMissing = Elsewhere(stackSize: Self.tinyStack) { last.resolve(Int?.self) == nil }
            precondition(isMissing.result() == true)
            let isGone = Elsewhere(stackSize: Self.largeStack) { last.resolve(Diesel?.self) == nil }
            precondition(isGone.result() == true)
            precondition(old?.engine == nil)
        }
    }
}
