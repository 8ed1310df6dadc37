import Foundation
import Synchronization
import Testing

@testable import DependencyInjection

extension ExitTests {
    /// The cooperative pool of each process here has one free thread, so that an asynchronous build that blocks it stops
    /// all tasks. An alarm ends a process whose tasks have stopped.
    @Suite("Rule C10: an asynchronous build never blocks a thread of the cooperative pool") struct BlockedThreadTests {}
}

extension ExitTests.BlockedThreadTests {
    final class Database: Sendable {}
    final class Repository: Sendable {}
    final class Slow: Sendable {}

    /// A root or a child, and the way in which a plain factory blocks its thread.
    struct Setup: Sendable {
        let isChild: Bool
        let wait: @Sendable () -> Void

        func makeContainer(@RegistrationBuilder _ registrations: () -> [Registration]) -> DIContainer {
            isChild ? DIContainer().makeChild(registrations) : DIContainer(registrations)
        }
    }

    static let waits: [@Sendable () -> Void] = [
        {
            let other = Latch()
            Task.detached { other.open() }
            other.wait()
        },
        {
            let other = Latch()
            Thread.detachNewThread { other.open() }
            other.wait()
        },
        {
            let other = Counter()
            Task.detached { other.increment() }
            usleep(500_000)
            precondition(other.count == 1, "a task has paused while a factory slept")
        },
    ]

    /// Runs an operation for each setup, in a pool with one free thread.
    static func inEachSetup(_ operation: (Setup) async throws -> Void) async throws {
        alarm(120)
        let isDone = Latch()
        for _ in 1..<ProcessInfo.processInfo.activeProcessorCount { Task.detached { isDone.wait() } }
        for wait in waits {
            for isChild in [false, true] { try await operation(Setup(isChild: isChild, wait: wait)) }
        }
        isDone.open()
    }

    @Test("while prepare(.all) runs a plain factory")
    func preparingAll() async {
        await #expect(processExitsWith: .success) {
            try await Self.inEachSetup { setup in
                let container = setup.makeContainer {
                    Shared(async: { _ in Database() })
                    Shared { [wait = setup.wait] _ in
                        wait()
                        return Slow()
                    }
                }
                try await container.prepare(.all)
                _ = try container.resolve.orThrow(Slow.self)
            }
        }
    }

    @Test("while resolve.async runs a plain factory of any lifetime")
    func resolving() async {
        await #expect(processExitsWith: .success) {
            try await Self.inEachSetup { setup in
                let make: @Sendable (Resolver) throws -> Slow = { [wait = setup.wait] resolve in
                    _ = try resolve.orThrow(Database.self)
                    wait()
                    return Slow()
                }
                let container = setup.makeContainer {
                    Shared(async: { _ in Database() })
                    Shared(make, name: "shared")
                    Weak(make, name: "weak")
                    Scoped(make, name: "scoped")
                    Graph(make, name: "graph")
                    New(make, name: "new")
                }
                for name: RegistrationName in ["shared", "weak", "scoped", "graph", "new"] {
                    _ = try await container.resolve.async(Slow.self, name: name)
                }
            }
        }
    }

    @Test("while decorators of an asynchronous instance and of its alias run")
    func decorating() async {
        await #expect(processExitsWith: .success) {
            try await Self.inEachSetup { setup in
                let container = setup.makeContainer {
                    Shared(async: { _ in Diesel() }, as: (any Engine).self)
                    New(async: { _ in Repository() }, as: (any Sendable).self)
                    Decorate(Diesel.self) { [wait = setup.wait] base, _ in
                        wait()
                        return base
                    }
                    Decorate((any Engine).self) { [wait = setup.wait] base, _ in
                        wait()
                        return base
                    }
                    Decorate((any Sendable).self) { [wait = setup.wait] base, _ in
                        wait()
                        return base
                    }
                }
                try await container.prepare()
                _ = try await container.resolve.async((any Engine).self)
                _ = try await container.resolve.async((any Sendable).self)
            }
        }
    }

    /// The calls that wait until another thread leaves the queue.
    static let calls: [@Sendable (DIContainer) async throws -> Void] = [
        { try await $0.prepare() },
        { try await $0.prepare(.all) },
        { _ = try await $0.resolve.async(Repository.self) },
        { try await $0.close() },
    ]

    @Test("while a plain factory runs on another thread")
    func whileThreadBuilds() async {
        await #expect(processExitsWith: .success) {
            try await Self.inEachSetup { setup in
                for call in Self.calls {
                    let (began, mayWait) = (Latch(), Latch())
                    let container = setup.makeContainer {
                        Shared(async: { _ in Database() })
                        Shared { _ in Repository() }
                        Shared { [wait = setup.wait] _ in
                            began.open()
                            mayWait.wait()
                            wait()
                            return Slow()
                        }
                    }
                    let thread = BackgroundThread { _ = try? container.resolve.orThrow(Slow.self) }
                    began.wait()
                    Thread.detachNewThread {
                        // The factory waits after the call does.
                        _ = eventually { container.core.queue.entrants.load(ordering: .relaxed) == 2 }
                        mayWait.open()
                    }
                    try await call(container)
                    _ = thread.result()
                }
            }
        }
    }
}
