import DependencyInjection
import Testing

@Suite("Rule 20: Closing a container runs its handlers (released instances)", .mayHang, .ownThread)
struct ClosingMemoryTests {
    @Test("close() releases instances, including those retained only for closing")
    func releases() async throws {
        weak var current: Connection?
        weak var replaced: Connection?
        weak var removed: Connection?
        weak var plain: Unit?
        let app = DIContainer {
            Shared(Connection("1"))
                .onClose { #expect(!$0.name.isEmpty) }
            Shared(Connection("1"), name: "removed")
            Shared { _ in Unit(pool: Pool()) }
        }
        replaced = try app.resolve.orThrow(Connection.self)
        removed = try app.resolve.orThrow(Connection.self, name: "removed")
        plain = try app.resolve.orThrow(Unit.self)
        app.register(Shared(Connection("2")).onClose { #expect(!$0.name.isEmpty) })
        current = try app.resolve.orThrow(Connection.self)
        #expect(replaced?.name == "1")
        #expect(plain != nil && removed != nil)
        app.unregister(Connection.self, name: "removed")
        app.resetInstances()
        // Only instances with an `onClose` handler are retained until closing.
        #expect(plain == nil && removed == nil)
        #expect(replaced?.name == "1" && current?.name == "2")
        try await app.close()
        #expect(replaced == nil && current == nil)
    }

    @Test("Releasing a closed container releases its registrations and closures")
    func nothingIsLeft() async throws {
        let released = Counter()
        do {
            let held = Tracked(released)
            let app = DIContainer {
                Shared { _ in
                    withExtendedLifetime(held) {}
                    return Connection("1")
                }
                .onClose { _ in withExtendedLifetime(held) {} }
            }
            _ = app.resolve(Connection.self)
            let child = app.makeChild()
            _ = child.resolve(Connection.self)
            try await child.close()
            try await app.close()
        }
        // The task that closes the container may end a moment later.
        #expect(await eventually { released.count == 1 })
    }

    @Test("An unclosed container releases its instances in reverse order of construction", arguments: [true, false])
    func order(holdsResolver: Bool) {
        let log = Log()
        var resolver: Resolver?
        do {
            // The release of a fork reports nothing.
            let container = DIContainer().fork()
            for number in 0..<4 {
                container.register {
                    Shared(Logged("\(number)", log)).onClose { _ in }
                    Shared(Logged("other \(number)", log), name: RegistrationName("\(number)"))
                }
                _ = container.resolve(Logged.self)
                _ = container.resolve(Logged.self, name: RegistrationName("\(number)"))
            }
            if holdsResolver { resolver = container.resolve }
        }
        #expect(log.all == (0..<4).reversed().flatMap { ["other \($0)", "\($0)"] })
        withExtendedLifetime(resolver) {}
    }

    @Test("An unclosed container releases its instances outside of its queue, so a deinit may wait for a thread")
    func releasesOutsideQueue() {
        let numbers = Locked<[Int?]>([])
        do {
            let container = DIContainer {
                Shared { resolve in
                    ReleaseAction {
                        let request = BackgroundThread { try? resolve.orThrow(Ticket.self).number }
                        numbers.withLock { $0.append(request.result() ?? nil) }
                    }
                }
                .onClose { _ in }
                Shared(Ticket(number: 1))
            }.fork()
            _ = container.resolve(ReleaseAction.self)
            container.unregister(ReleaseAction.self)
        }
        #expect(numbers.withLock { $0 } == [1])
    }
}

#if os(Linux)
    extension ExitTests {
        @Suite("Rule 20: Closing a container runs its handlers (releases by close(), in another process)")
        struct ClosingMemoryExitTests {}
    }

    extension ExitTests.ClosingMemoryExitTests {
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
                var pages: [Int] = []
                for _ in 0..<2 {
                    for number in 0..<rounds {
                        let result = try await app.withChild {
                            Shared(Ticket(number: number))
                        } operation: { child in
                            _ = child.resolve(Unit.self)
                            return child.resolve(Ticket.self).number
                        }
                        precondition(result == number)
                    }
                    pages.append(ResidentMemory.pages)
                }
                let growth = pages[1] - pages[0]
                // Each leaked child would take more than 200 bytes.
                precondition(!ResidentMemory.isMeaningful || growth < rounds / 40, "\(growth) pages")
            }
        }
    }
#endif

extension ExitTests {
    /// The way in which a container is used before it is released.
    enum Use: String, CaseIterable, Codable {
        case resolved, resolvedByResolver, reset, resolvedByChild, retainedByResolver
        case forked, overridden, unused, childForked

        /// Whether the container itself has built an instance with a handler.
        var isReported: Bool {
            [.resolved, .resolvedByResolver, .reset, .resolvedByChild, .retainedByResolver].contains(self)
        }
    }

    private static let storedResolver = Locked<Resolver?>(nil)
    private static let lineOfUnit: UInt = #line + 6

    @Sendable private static func release(after use: Use) {
        // Otherwise a long wait on a busy machine is reported on standard error.
        DIContainer.deadlockWarningDelay = nil
        let container = DIContainer {
            Shared { resolve in Unit(pool: resolve()) }
                .onClose { _ in preconditionFailure("Nobody has closed the container.") }
            Shared(Pool())
                .onClose { _ in preconditionFailure("Nobody has closed the container.") }
        }
        switch use {
        case .resolved: _ = container.resolve(Unit.self)
        case .resolvedByResolver:
            let resolver = container.resolve
            _ = resolver(Unit.self)
        case .reset:
            _ = container.resolve(Unit.self)
            container.reset()
        case .resolvedByChild:
            let child = container.makeChild { Shared { resolve in Unit(pool: resolve()) } }
            _ = (child.resolve(Pool.self), child.resolve(Unit.self))
        case .retainedByResolver:
            // The resolver retains the container's registrations until the end of the program.
            storedResolver.withLock { $0 = container.resolve }
            _ = container.resolve(Unit.self)
        case .forked: _ = container.fork().resolve(Unit.self)
        case .overridden:
            DIContainer.withContainer(container) {
                DIContainer.withOverrides({}) { _ = DIContainer.resolve(Unit.self) }
            }
        case .unused: break
        case .childForked: _ = container.makeChild().fork().resolve(Unit.self)
        }
    }

    @Test(
        "reports unclosed instances on standard error",
        arguments: Use.allCases.filter { $0.isReported })
    static func unclosed(_ use: Use) async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { [use] in
            ExitTests.release(after: use)
        }
        let text = standardError(of: result)
        #if DEBUG
            #expect(text.contains("A container was released without being closed. `onClose` handlers did not run for:"))
            #expect(text.contains("Pool  (registered at \(#fileID):\(lineOfUnit + 2))"))
            let isUnitReported = text.contains("Unit  (registered at \(#fileID):\(lineOfUnit))")
            #expect(isUnitReported == (use != .resolvedByChild))
            #expect(text.contains("  fix: call `try await container.close()`"))
        #else
            #expect(text.isEmpty)
        #endif
    }

    @Test("Rule 20: A debug build doesn't report unclosed forks, overrides and types without an instance")
    static func unclosedSilently() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            for use in Use.allCases where !use.isReported { ExitTests.release(after: use) }
        }
        #expect(standardError(of: result) == "")
    }
}
