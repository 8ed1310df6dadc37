import InMemoryLogging
import HummingbirdTesting
import HTTPTypes
import DependencyInjection
import DependencyInjectionTesting
import GRDB
import Logging
import Testing

@testable import Notes

struct WiringTests {
    private let container = App(database: "", logger: Logger(label: "test")).container

    @Test func declaredDependenciesAreValid() {
        // The database is opened by `start()`.
        let findings = expectValid(container, allowing: [.unpreparedDependency])
        #expect(findings.allSatisfy { $0.kind == .unpreparedDependency })
    }

    @Test func validationFindsAMissingDependency() {
        container.unregister(Settings.self)
        let error = #expect(throws: DIContainer.ValidationError.self) { try container.validate() }
        let missing = error?.findings.filter { $0.kind == .error(.notRegistered) } ?? []
        #expect(missing.contains { $0.description.contains("Settings, which ListNotes needs") })
    }

    @Test func graphShowsDependentsOfTheDatabase() {
        let graph = container.graph
        let picture = graph.mermaid()
        for module in ["Settings", "Database", "Accounts", "Notes", "Health", "Page"] {
            #expect(picture.contains("[\"\(module)\"]"))
        }
        func needs(_ type: Any.Type) -> [String] {
            graph.edges.filter { graph.nodes[$0.from].type == type }.map(\.key)
        }
        #expect(needs(UnitOfWork.self) == ["NoteDatabase", "RequestID"])
        #expect(needs(ListNotes.self) == ["any NoteStore", "Settings"])
        for handler: Any.Type in [ShowNote.self, CreateNote.self, UpdateNote.self, DeleteNote.self] {
            #expect(needs(handler) == ["any NoteStore"])
        }
        #expect(needs(SQLiteNoteStore.self) == ["UnitOfWork", "Identity", "any TimeSource"])
    }

    /// The app of a server of its own.
    private func withApp(_ operation: @escaping @Sendable (App, TestServer) async throws -> Void) async throws {
        try await withTestServer(.container) { try await operation(try #require($0.wiring as? App), $0) }
    }

    @Test func everyRegistrationBuildsInARequest() async throws {
        try await withApp { app, _ in
            try await app.container.withChild {
                Shared(Notes.RequestID())
                Shared(Identity(id: 1, name: "ada"))
            } operation: { child in
                let mode = ValidationMode.building(within: .seconds(60))
                let findings = try await child.validate(mode, allowing: [.unpreparedDependency, .replaced])
                #expect(findings.isEmpty)
            }
        }
    }

    @Test func handlersNeedARequestWithAnIdentity() async throws {
        try await withApp { app, _ in
            // Without the child, all requests would share one unit of work.
            let error = #expect(throws: ResolutionError.self) { try app.container.resolve.orThrow(CheckHealth.self) }
            #expect(error?.description.contains("Nothing is registered for RequestID") == true)
            try await app.container.withChild {
                Shared(Notes.RequestID())
            } operation: { child in
                let error = #expect(throws: ResolutionError.self) { try child.resolve.orThrow(ShowNote.self) }
                #expect(error?.description.contains("Nothing is registered for Identity") == true)
            }
        }
    }

    @Test func failingDatabaseAndClosedAppAreUnavailable() async throws {
        try await withApp { app, server in
            let user = try await server.user()
            try await app.container.resolve(NoteDatabase.self).pool.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA foreign_keys = OFF; DROP TABLE users")
            }
            #expect(try await user.send(.get, "/health").status == .serviceUnavailable)
            #expect("\(server.log.entries)".contains("no such table: users"))
            #expect(try await user.send(.get, "/notes").status == .internalServerError)
            try await app.container.close()
            #expect(try await user.send(.get, "/").status == .serviceUnavailable)
        }
    }
}
