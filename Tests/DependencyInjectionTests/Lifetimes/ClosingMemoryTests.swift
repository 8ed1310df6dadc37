import DependencyInjection
import Testing

@Suite("Rule 20: releases by close()", .mayHang)
struct ClosingMemoryTests {
    /// An instance that only its container retains.
    private final class Part: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    @Test("releases instances, including those retained only for closing")
    func releases() async throws {
        weak var current: Part?
        weak var replaced: Part?
        weak var removed: Part?
        weak var plain: Unit?
        let app = DIContainer {
            Shared(Part(1))
                .onClose { #expect($0.number > 0) }
            Shared(Part(1), name: "removed")
            Shared { _ in Unit(pool: Pool()) }
        }
        replaced = try app.resolve.orThrow(Part.self)
        removed = try app.resolve.orThrow(Part.self, name: "removed")
        plain = try app.resolve.orThrow(Unit.self)
        app.register(Shared(Part(2)).onClose { #expect($0.number > 0) })
        current = try app.resolve.orThrow(Part.self)
        #expect(replaced?.number == 1)
        #expect(plain != nil && removed != nil)
        app.unregister(Part.self, name: "removed")
        app.resetInstances()
        // Only instances with an `onClose` handler are retained until closing.
        #expect(plain == nil && removed == nil)
        #expect(replaced?.number == 1 && current?.number == 2)
        try await app.close()
        #expect(replaced == nil && current == nil)
    }

    @Test("closes a child's instance of a parent's registration that was removed or hidden", arguments: 0..<6)
    func removedFromParent(_ index: Int) async throws {
        let closed = Log()
        let app = DIContainer { Scoped(Part(1)).onClose { closed.add("\($0.number)") } }
        let middle = app.makeChild()
        let child = middle.makeChild()
        _ = try child.resolve.orThrow(Part.self)
        switch index / 2 {
        case 0: app.unregister(Part.self)
        case 1: middle.register(New(Part(2)))
        default: child.register(Shared(Part(2)))
        }
        // In half of the cases, the child detects the change at a request.
        if index.isMultiple(of: 2) { _ = child.resolve(Part?.self) }
        try await child.close()
        #expect(closed.all == ["1"])
    }

    @Test("releasing a closed container releases its registrations and closures")
    func nothingIsLeft() async throws {
        let released = Counter()
        func run() async throws {
            let held = Tracked(released)
            let app = DIContainer {
                Shared { _ in
                    withExtendedLifetime(held) {}
                    return Part(1)
                }
                .onClose { _ in withExtendedLifetime(held) {} }
            }
            _ = app.resolve(Part.self)
            let child = app.makeChild()
            _ = child.resolve(Part.self)
            try await child.close()
            try await app.close()
        }
        try await run()
        // The task that closes the container may end a moment later.
        #expect(await eventually { released.count == 1 })
    }
}

#if os(Linux)
    extension ExitTests {
        @Suite("Rule 20: releases by close(), in another process") struct ClosingMemoryExitTests {}
    }

    extension ExitTests.ClosingMemoryExitTests {
        private static func runChildren(_ rounds: Int, of app: DIContainer) async throws {
            for number in 0..<rounds {
                let result = try await app.withChild {
                    Shared(Ticket(number: number))
                } operation: { child in
                    _ = child.resolve(Unit.self)
                    return child.resolve(Ticket.self).number
                }
                precondition(result == number)
            }
        }

        @Test("of many children with an `onClose` doesn't increase memory")
        func isFlat() async {
            await #expect(processExitsWith: .success) {
                // Otherwise each `onClose` would have a timer that lives until its time.
                DIContainer.deadlockWarningDelay = nil
                let app = DIContainer {
                    Shared(Pool())
                    Scoped { resolve in Unit(pool: resolve()) }
                        .onClose { (_: Unit, failure) in precondition(failure == nil) }
                }
                #if DEBUG
                    let rounds = 20_000
                #else
                    let rounds = 500_000
                #endif
                try await Self.runChildren(rounds, of: app)
                let before = ResidentMemory.pages
                try await Self.runChildren(rounds, of: app)
                let growth = ResidentMemory.pages - before
                // Each leaked child would take more than 200 bytes.
                precondition(!ResidentMemory.isMeaningful || growth < rounds / 40, "\(growth) pages")
            }
        }
    }
#endif
