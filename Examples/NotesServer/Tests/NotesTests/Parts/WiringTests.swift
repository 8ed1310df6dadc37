import DependencyInjection
import DependencyInjectionDiagnostics
import DependencyInjectionTesting
import GRDB
import Testing

@testable import Notes

struct WiringTests {
    /// The registrations in the container of a request.
    @RegistrationBuilder private static func requestRegistrations() -> [Registration] {
        Shared(RequestID())
        Shared(Identity(id: 1, name: "ada"))
    }

    @Test func declaredDependenciesAreValid() {
        // The database is opened by `start()`.
        let findings = expectValid(Sample.app, allowing: [.unpreparedDependency])
        #expect(findings.allSatisfy { $0.kind == .unpreparedDependency })
    }

    @Test func everyRegistrationBuildsInARequest() async throws {
        try await Sample.app.fork { Sample.database }.run { container in
            try await container.withChild {
                Self.requestRegistrations()
            } operation: { child in
                let mode = ValidationMode.building(within: .seconds(60))
                let findings = try await child.validate(mode, allowing: [.unpreparedDependency, .replaced])
                #expect(findings.isEmpty)
            }
        }
    }

    @Test func requestWithoutAnIdentityIsAnError() async throws {
        try await Sample.app.fork { Sample.database }.run { container in
            try await container.prepare()
            let error = await #expect(throws: ResolutionError.self) {
                try await container.withChild {
                    Shared(RequestID())
                } operation: { child in
                    _ = try child.resolve.orThrow(ShowNote.self)
                }
            }
            #expect(error?.description.contains("Identity") == true)
        }
    }

    @Test func graphShowsDependentsOfTheDatabase() {
        let graph = Sample.app.graph
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

    @Test func validationFindsAMissingDependency() {
        let container = Sample.app.fork()
        container.unregister(Settings.self)
        let error = #expect(throws: DIContainer.ValidationError.self) { try container.validate() }
        let missing = error?.findings.filter { $0.kind == .error(.notRegistered) } ?? []
        #expect(missing.contains { $0.description.contains("Settings, which ListNotes needs") })
    }

    @Test func appCannotBuildAUnitOfWork() async throws {
        try await Sample.app.fork { Sample.database }.run { container in
            try await container.prepare()
            // Without the child, all requests would share one unit of work.
            let error = #expect(throws: ResolutionError.self) { try container.resolve.orThrow(CheckHealth.self) }
            #expect(error?.description.contains("Nothing is registered for RequestID") == true)
        }
    }

    @Test func failingDatabaseIsUnhealthy() async throws {
        try await withTestServer(.container) { server in
            let user = try await Client.user(of: server)
            let app = try #require(server.wiring as? App)
            try await app.container.resolve(NoteDatabase.self).pool.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA foreign_keys = OFF; DROP TABLE users")
            }
            try expectError(try await user.send("GET", "/health"), 503, "unavailable")
            #expect(server.log.text.contains("no such table: users"))
            try expectError(try await user.send("GET", "/notes"), 500, "internal")
        }
    }

    @Test func closedAppIsUnavailable() async throws {
        try await withTestServer(.container) { server in
            let app = try #require(server.wiring as? App)
            try await app.container.close()
            try expectError(try await Client(server: server).send("GET", "/health"), 503, "unavailable")
        }
    }
}
