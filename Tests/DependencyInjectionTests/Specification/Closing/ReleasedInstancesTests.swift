import DependencyInjection
import Testing

@Suite("Rule 20: Closing a container runs its handlers (released instances)", .mayHang, .ownThread)
struct ClosingMemoryTests {
    @Test("close() releases instances, including those retained only for closing")
    func releases() async throws {
        let app = DIContainer { Shared(Connection("1")).onClose { _ in } }
        weak let replaced = try app.resolve.orThrow(Connection.self)
        app.register(Shared(Connection("2")).onClose { _ in })
        weak let current = try app.resolve.orThrow(Connection.self)
        app.resetInstances()
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
        @Test(
            "Rule 20: Closing many children with an `onClose` doesn't increase memory",
            .enabled(if: ResidentMemory.isMeaningful, "A sanitizer keeps what was freed."))
        static func isFlat() async {
            await #expect(processExitsWith: .success) {
                // Otherwise each `onClose` would have a timer that lives until its time.
                DIContainer.deadlockWarningDelay = nil
                let app = DIContainer {
                    Shared(Pool())
                    Scoped { resolve in Unit(pool: resolve()) }
                        .onClose { (_: Unit, failure) in precondition(failure == nil) }
                }
                let rounds = 20_000
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
                precondition(growth < rounds / 40, "\(growth) pages")
            }
        }
    }
#endif

extension ExitTests {
    private static let storedResolver = Locked<Resolver?>(nil)

    /// Uses of a container that builds an instance with a handler.
    private static let reported: [Row<@Sendable (DIContainer) -> Void>] = [
        Row("a request") { _ = $0.resolve(Unit.self) },
        Row("a request before a reset") { container in
            _ = container.resolve(Unit.self)
            container.reset()
        },
        Row("a child's request") {
            _ = $0.makeChild { Shared { resolve in Unit(pool: resolve()) } }.resolve(Unit.self)
        },
        Row("a resolver that retains the registrations until the end of the program") { container in
            storedResolver.withLock { $0 = container.resolve }
            _ = container.resolve(Unit.self)
        },
    ]

    /// Uses of a container that itself builds nothing.
    private static let silent: [Row<@Sendable (DIContainer) -> Void>] = [
        Row("none") { _ in },
        Row("a fork") { _ = $0.fork().resolve(Unit.self) },
        Row("the fork of a child") { _ = $0.makeChild().fork().resolve(Unit.self) },
        Row("withOverrides") { container in
            DIContainer.withContainer(container) {
                DIContainer.withOverrides({}) { _ = DIContainer.resolve(Unit.self) }
            }
        },
    ]

    private static let lineOfUnit: UInt = #line + 6

    @Sendable private static func release(after use: @Sendable (DIContainer) -> Void) {
        // Otherwise a long wait on a busy machine is reported on standard error.
        DIContainer.deadlockWarningDelay = nil
        let container = DIContainer {
            Shared { resolve in Unit(pool: resolve()) }
                .onClose { _ in preconditionFailure("Nobody has closed the container.") }
            Shared(Pool())
                .onClose { _ in preconditionFailure("Nobody has closed the container.") }
        }
        use(container)
    }

    @Test("Rule 20: A debug build reports unclosed instances on standard error", arguments: reported)
    static func unclosed(_ use: Row<@Sendable (DIContainer) -> Void>) async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            [name = use.testDescription as String] in
            for use in ExitTests.reported where use.testDescription == name { ExitTests.release(after: use.value) }
        }
        let text = result.standardError
        #if DEBUG
            #expect(text.contains("A container was released without being closed. `onClose` handlers did not run for:"))
            #expect(text.contains("Pool  (registered at \(#fileID):\(lineOfUnit + 2))"))
            let isUnitReported = text.contains("Unit  (registered at \(#fileID):\(lineOfUnit))")
            #expect(isUnitReported == (use.testDescription != "a child's request"))
            #expect(text.contains("  fix: call `try await container.close()`"))
        #else
            #expect(text.isEmpty)
        #endif
    }

    @Test("Rule 20: A debug build doesn't report unclosed forks, overrides and types without an instance")
    static func unclosedSilently() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            for use in ExitTests.silent { ExitTests.release(after: use.value) }
        }
        #expect(result.standardError == "")
    }
}
