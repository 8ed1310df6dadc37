import DependencyInjection
import DependencyInjectionTesting
import HTTPServer
import SQLite
import Testing

@testable import Notes
@testable import NotesWiring

@Suite(.timeLimit(.minutes(1)), .dependencies(from: app.container) { temporaryDatabase() })
struct UnitOfWorkTests {
    private struct Failure: Error {}

    @Test func failedRequestIsRolledBack() async throws {
        let ada = try await DIContainer.addUser("ada")
        await #expect(throws: Failure.self) {
            try await DIContainer.with(ada) { store in
                _ = try await store.add(try NoteDraft(title: "one"))
                // The request itself sees its own changes.
                #expect(try await store.find(NoteQuery(size: 9)).total == 1)
                throw Failure()
            }
        }
        #expect(try await DIContainer.with(ada) { try await $0.find(NoteQuery(size: 9)) }.total == 0)
    }

    @Test func uncommittedChangesAreInvisible() async throws {
        let ada = try await DIContainer.addUser("ada")
        try await DIContainer.with(ada) { store in
            _ = try await store.add(try NoteDraft(title: "one"))
            #expect(try await DIContainer.with(ada) { try await $0.find(NoteQuery(size: 9)) }.total == 0)
        }
        #expect(try await DIContainer.with(ada) { try await $0.find(NoteQuery(size: 9)) }.total == 1)
    }

    @Test func requestReadsOneSnapshot() async throws {
        let ada = try await DIContainer.addUser("ada")
        try await DIContainer.with(ada) { store in
            #expect(try await store.find(NoteQuery(size: 9)).total == 0)
            _ = try await DIContainer.with(ada) { try await $0.add(try NoteDraft(title: "one")) }
            #expect(try await store.find(NoteQuery(size: 9)).total == 0)
        }
    }

    @Test func failedCommitIsAnError() async throws {
        try await DIContainer.current.prepare()
        await #expect(throws: CloseError.self) {
            try await DIContainer.withChild {
                Shared(RequestID(HTTPRequest("GET", "/")))
            } operation: { child in
                // The user does not exist, which SQLite checks at the end of the transaction.
                try await child.resolve(UnitOfWork.self).write {
                    try $0.run(script: "PRAGMA defer_foreign_keys = ON")
                    try $0.rows("INSERT INTO notes VALUES (1, 9, 't', '', '[]', 1, 0, 0)")
                }
            }
        }
        let database: Database = DIContainer.resolve()
        let count = try await database.writer.with { try $0.rows("SELECT count(*) FROM notes")[0].integer(0) }
        #expect(count == 0)
    }

    @Test func eachRequestReturnsItsConnection() async throws {
        let ada = try await DIContainer.addUser("ada")
        for number in 0..<20 {
            try? await DIContainer.with(ada) { store in
                _ = try await store.find(NoteQuery(size: 9))
                _ = try await store.add(try NoteDraft(title: "one"))
                if number % 2 == 0 { throw Failure() }
            }
        }
        #expect(try await DIContainer.with(ada) { try await $0.find(NoteQuery(size: 9)) }.total == 10)
    }

    @Test func concurrentReadsShareAConnection() async throws {
        let ada = try await DIContainer.addUser("ada")
        // Four parts of a request would wait for one another if each took one of the two connections.
        try await DIContainer.with(ada) { store in
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 { group.addTask { _ = try await store.find(NoteQuery(size: 9)) } }
                try await group.waitForAll()
            }
        }
    }
}
