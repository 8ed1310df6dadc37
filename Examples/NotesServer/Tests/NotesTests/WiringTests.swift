import DependencyInjection
import DependencyInjectionDiagnostics
import DependencyInjectionTesting
import HTTPServer
import SQLite
import Testing

@testable import Notes
@testable import NotesWiring

struct WiringTests {
    private static let request = HTTPRequest("GET", "/notes/1")

    /// The further registrations in the container of a request.
    @RegistrationBuilder private static func requestRegistrations() -> [Registration] {
        Shared(RequestID(request))
        Shared(Identity(id: 1, name: "ada"))
    }

    @Test func declaredDependenciesAreValid() {
        // The database is opened by `start()`.
        let findings = expectValid(app.container, allowing: .unpreparedDependency)
        #expect(findings.allSatisfy { $0.kind == .unpreparedDependency })
    }

    @Test func everyRegistrationBuildsInARequest() async throws {
        let container = app.container.fork { temporaryDatabase() }
        let child = container.makeChild { Self.requestRegistrations() }
        let mode = ValidationMode.building(within: .seconds(60)) { info in
            if info.type == ListNotes.self || info.type == CreateNote.self { return [Self.request] }
            if [ShowNote.self, UpdateNote.self, DeleteNote.self].contains(where: { $0 == info.type }) {
                return [Self.request, Int64(1)]
            }
            return nil
        }
        let findings = try await child.validate(mode, allowing: [.unpreparedDependency, .replaced])
        #expect(findings.isEmpty)
        try await child.close()
        try await container.close()
    }

    @Test func requestWithoutAnIdentityIsAnError() async throws {
        let container = app.container.fork { temporaryDatabase() }
        try await container.prepare()
        let error = await #expect(throws: ResolutionError.self) {
            try await container.withChild {
                Shared(RequestID(Self.request))
            } operation: { child in
                _ = try child.resolve.orThrow(ShowNote.self, arguments: Self.request, 1 as Int64)
            }
        }
        #expect(error?.description.contains("Identity") == true)
        try await container.close()
    }

    @Test func graphShowsDependentsOfTheDatabase() {
        let picture = app.container.graph.mermaid()
        for module in ["Configuration", "Database", "Accounts", "Notes", "Health", "Page"] {
            #expect(picture.contains("[\"\(module)\"]"))
        }
        let graph = app.container.graph
        func needs(_ type: Any.Type) -> [String] {
            graph.edges.filter { graph.nodes[$0.from].type == type }.map(\.key)
        }
        #expect(needs(UnitOfWork.self) == ["Database", "RequestID"])
        #expect(needs(ListNotes.self) == ["any NoteStore", "Configuration"])
        for handler: Any.Type in [ShowNote.self, CreateNote.self, UpdateNote.self, DeleteNote.self] {
            #expect(needs(handler) == ["any NoteStore"])
        }
        #expect(needs(SQLiteNoteStore.self) == ["UnitOfWork", "Identity", "any TimeSource"])
    }

    @Test func validationFindsAMissingDependency() {
        let container = app.container.fork()
        container.unregister(Configuration.self)
        let error = #expect(throws: DIContainer.ValidationError.self) { try container.validate() }
        let missing = error?.findings.filter { $0.kind == .error(.notRegistered) } ?? []
        #expect(missing.contains { $0.description.contains("Configuration, which ListNotes needs") })
    }

    @Test func appCannotBuildAUnitOfWork() async throws {
        let container = app.container.fork { temporaryDatabase() }
        try await container.prepare()
        // Without the child, all requests would share one unit of work.
        let error = #expect(throws: ResolutionError.self) { try container.resolve.orThrow(CheckHealth.self) }
        #expect(error?.description.contains("Nothing is registered for RequestID") == true)
        try await container.close()
    }

    @Test func storesOfOneRequestShareItsUnitOfWork() async throws {
        let container = app.container.fork { temporaryDatabase() }
        try await container.prepare()
        try await container.withChild {
            Self.requestRegistrations()
        } operation: { first in
            #expect(first.resolve(UnitOfWork.self) === first.resolve(UnitOfWork.self))
            try await container.withChild {
                Self.requestRegistrations()
            } operation: { second in
                #expect(first.resolve(UnitOfWork.self) !== second.resolve(UnitOfWork.self))
            }
        }
        try await container.close()
    }

    @Test func failingDatabaseIsUnhealthy() async throws {
        try await Client.with(.byContainer) { client in
            let app = try #require(client.wiring as? App)
            try await app.container.resolve(Database.self).writer.with { connection in
                try connection.run(script: "PRAGMA foreign_keys = OFF; DROP TABLE users")
            }
            let response = await client.send("GET", "/health", user: nil)
            #expect(response.status == 503 && response.code == "unavailable")
            #expect(client.log.lines.contains { $0.hasPrefix("health reason=no such table: users") })
            #expect(await client.send("GET", "/notes").code == "internal")
        }
    }

    @Test func databaseIsClosedWithTheApp() async throws {
        let directory = try TemporaryDirectory()
        let app = App(database: directory.path("notes.sqlite"), log: RecordingLog())
        try await app.start()
        let database = app.container.resolve(Database.self)
        try await app.close()
        await #expect(throws: PoolError.closed) { try await database.writer.take() }
        let response = await Service(app, log: RecordingLog()).answer(HTTPRequest("GET", "/health"))
        #expect(response.status == 503)
    }
}
