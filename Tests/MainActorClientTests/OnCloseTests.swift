import DependencyInjection
import Dispatch
import Testing

// Plain requests: an application whose default isolation is the main actor writes them.

/// Rules 20 and 21: the call sites of closing in a module whose default isolation is the main actor.
@Suite(.serialized)
struct OnCloseTests {
    final class Window {
        var states: [String] = []
    }
    nonisolated final class Connection: Sendable {
        func close() async throws {}
    }
    nonisolated struct Failure: Error {}
    nonisolated final class Threads: @unchecked Sendable {  // Only used by closures that run one after the other.
        var lines: [String] = []
        private static let mainQueue = {
            let key = DispatchSpecificKey<Bool>()
            DispatchQueue.main.setSpecific(key: key, value: true)
            return key
        }()
        // The main actor runs on the main queue, but not always on the main thread.
        func add(_ line: String) {
            let isMain = DispatchQueue.getSpecific(key: Self.mainQueue) == true
            lines.append("\(line) \(isMain ? "main" : "elsewhere")")
        }
    }

    @Test func allForms() async throws {
        let threads = Threads()
        let app = DIContainer {
            Shared(Connection())
                .onClose { connection in try await connection.close() }
                .onClose { _ in threads.add("connection") }
                .onClose { (_: Connection, failure) in threads.add("failed: \(failure is Failure)") }
            Shared(mainActor: Window())
                .onClose(mainActor: { window in window.states.append("closed") })
                .onClose(mainActor: { window, failure in
                    threads.add("window")
                    window.states.append("failed: \(failure is Failure)")
                })
        }
        _ = app.resolve(Connection.self)
        let window = app.resolve(Window.self)
        try await app.close(dueTo: Failure())
        #expect(window.states == ["failed: true", "closed"])
        #expect(threads.lines == ["window main", "failed: true elsewhere", "connection elsewhere"])
    }

    @Test func childForAnOperation() async throws {
        let app = DIContainer {
            Scoped(mainActor: Window())
                .onClose(mainActor: { window in window.states.append("closed") })
        }
        let window = try await app.withChild {
            Shared(1)
        } operation: { child in
            MainActor.assertIsolated()
            #expect(DIContainer.resolve(Int.self) == 1)
            return child.resolve(Window.self)
        }
        #expect(window.states == ["closed"])
        let other = try await DIContainer.withContainer(app) {
            try await DIContainer.withChild { child in child.resolve(Window.self) }
        }
        #expect(other.states == ["closed"] && other !== window)
    }
}
