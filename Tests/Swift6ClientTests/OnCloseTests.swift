import DependencyInjection
import Testing

// Plain requests: the documentation shows them.

/// Rules 20 and 21: the call sites of closing in Swift 6 mode.
struct OnCloseTests {
    private actor Journal {
        var lines: [String] = []
        func add(_ line: String) { lines.append(line) }
    }
    private final class Connection: Sendable {
        func close() async throws {}
        func end() {}
    }
    private struct UserSession: Session {}
    @MainActor private final class Window { var isOpen = true }

    private static let connecting = Module {
        Shared(Connection(), name: "module")
            .onClose { try await $0.close() }
    }

    @Test func allForms() async throws {
        let journal = Journal()
        let app = DIContainer {
            Shared(Connection())
                .onClose { $0.end() }
                .onClose { connection in try await connection.close() }
                .onClose { (connection: Connection) async in await journal.add("typed") }
                .onClose { connection, failure in
                    if failure == nil { await journal.add("committed") } else { await journal.add("rolled back") }
                }
            Scoped(UserSession() as any Session)
                .onClose { _ in await journal.add("session") }
            Shared(mainActor: Window())
                .onClose(mainActor: { window in window.isOpen = false })
                .onClose(mainActor: { window, failure in
                    await journal.add("window \(window.isOpen) \(failure == nil)")
                })
            if #available(macOS 15, *) { Self.connecting }
        }
        _ = app.resolve(Connection.self)
        let window = await MainActor.run { app.resolve(Window.self) }
        let isOpen = try await app.withChild { child in
            _ = child.resolve((any Session).self)
            return await window.isOpen
        }
        #expect(isOpen)
        try await DIContainer.withContainer(app) {
            try await DIContainer.withChild {
                Shared(1)
            } operation: { _ in
                #expect(DIContainer.resolve(Int.self) == 1)
            }
        }
        try await app.close()
        #expect(await journal.lines == ["session", "window true true", "committed", "typed"])
        #expect(await !window.isOpen)
    }

    @Test func closesAfterAFailure() async throws {
        struct Failure: Error {}
        let journal = Journal()
        let app = DIContainer {
            Shared(Connection())
                .onClose { await journal.add($1 is Failure ? "rolled back" : "committed") }
        }
        _ = app.resolve(Connection.self)
        try await app.close(dueTo: Failure())
        #expect(await journal.lines == ["rolled back"])
        do { try await app.close() } catch let error as CloseError { Issue.record("\(error.failures)") }
    }
}
