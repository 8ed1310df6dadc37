import DependencyInjection
import Testing

// Plain requests: an application in Swift 5 mode writes them.

/// Rules 20 and 21: the call sites of closing in Swift 5 mode, for services without `Sendable`.
struct OnCloseTests {
    private class Connection {
        var isOpen = true
        func close() async throws { isOpen = false }
    }
    private class Unit {
        let connection: Connection
        var outcome: String?
        init(connection: Connection) { self.connection = connection }
        func commit() async throws { outcome = "committed while open: \(connection.isOpen)" }
        func rollBack() async { outcome = "rolled back while open: \(connection.isOpen)" }
    }
    @MainActor private final class Window { var isOpen = true }
    private struct Failure: Error {}

    private func makeContainer() -> DIContainer {
        DIContainer {
            Shared(Connection())
                .onClose { connection in try await connection.close() }
            Scoped { resolve in Unit(connection: resolve()) }
                .onClose { unit, failure in
                    if failure == nil { try await unit.commit() } else { await unit.rollBack() }
                }
            Shared(mainActor: Window())
                .onClose(mainActor: { window in window.isOpen = false })
                .onClose(mainActor: { window, failure in if failure == nil { window.isOpen = true } })
        }
    }

    @Test func childrenAndTheirOutcome() async throws {
        let app = makeContainer()
        let unit = try await app.withChild {
            Shared(1)
        } operation: { child in
            #expect(DIContainer.resolve(Int.self) == 1)
            return child.resolve(Unit.self)
        }
        #expect(unit.outcome == "committed while open: true")
        var failed: Unit?
        do {
            try await app.withChild { child in
                failed = child.resolve(Unit.self)
                throw Failure()
            }
        } catch is Failure {}
        #expect(failed?.outcome == "rolled back while open: true")
        try await app.close()
        #expect(!unit.connection.isOpen)
    }

    @Test
    @MainActor
    func onTheMainActor() async throws {
        let app = makeContainer()
        let window = app.resolve(Window.self)
        try await DIContainer.withContainer(app) {
            try await DIContainer.withChild { child in
                #expect(child.resolve(Window.self) === window)
                window.isOpen = true
            }
        }
        try await app.close(dueTo: Failure())
        #expect(!window.isOpen)
    }
}
