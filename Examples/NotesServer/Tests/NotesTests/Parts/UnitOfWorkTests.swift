import DependencyInjection
import GRDB
import Testing

@testable import Notes

/// The units of work of requests to one database.
@Suite(TestServers()) struct UnitOfWorkTests {
    private struct Failure: Error {}

    private let app: App

    init() async throws {
        app = try #require(try TestServers.server(.container).wiring as? App)
        _ = try await app.accounts.add("ada")
    }

    /// Performs the operations of a request on the notes of its user.
    private func request<Result>(_ operation: (any NoteStore) async throws -> Result) async throws -> Result {
        try await app.container.withChild {
            Shared(Identity(id: 1, name: "ada"))
            Shared(Notes.RequestID())
        } operation: { child in
            try await operation(child.resolve())
        }
    }

    /// The titles of the notes that a later request finds, the newest first.
    private func titles() async throws -> [String] { try await request { try await $0.titles } }

    @Test func failedRequestIsRolledBack() async throws {
        await #expect(throws: Failure.self) {
            try await request { store in
                try await store.add("one")
                // The request itself sees its own changes.
                #expect(try await store.titles == ["one"])
                throw Failure()
            }
        }
        #expect(try await titles().isEmpty)
    }

    @Test func requestsSeeNoUncommittedChanges() async throws {
        try await request { reader in
            #expect(try await reader.titles.isEmpty)
            try await request { writer in
                try await writer.add("one")
                #expect(try await titles().isEmpty)
            }
            #expect(try await titles() == ["one"])
            // A request reads one snapshot.
            #expect(try await reader.titles.isEmpty)
        }
    }

    @Test func failedCommitIsAnError() async throws {
        await #expect(throws: CloseError.self) {
            try await app.container.withChild {
                Shared(Notes.RequestID())
            } operation: { child in
                // The user does not exist, which SQLite checks at the end of the transaction.
                try await child.resolve(UnitOfWork.self).write {
                    try $0.execute(sql: "PRAGMA defer_foreign_keys = ON")
                    try $0.execute(sql: "INSERT INTO notes VALUES (1, 9, 't', '', '[]', 1, 0, 0)")
                }
            }
        }
        let count = try await app.container.resolve(NoteDatabase.self).pool.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM notes")
        }
        #expect(count == 0)
    }

    @Test func eachRequestReturnsItsConnections() async throws {
        for number in 0..<20 {
            try? await request { store in
                _ = try await store.titles
                try await store.add("one")
                if number % 2 == 0 { throw Failure() }
            }
        }
        #expect(try await titles().count == 10)
    }

    @Test func concurrentPartsOfARequestShareItsTransaction() async throws {
        try await request { store in
            _ = try await concurrently(8) { number in
                if number % 2 == 0 { _ = try await store.titles } else { try await store.add("one") }
            }
            #expect(try await store.titles.count == 4)
        }
    }

    @Test func canceledRequestIsRolledBackAndReturnsTheWriter() async throws {
        let writer = app.container.resolve(NoteDatabase.self).writer
        try await request { store in
            try await store.add("first")
            // Others wait for the writer, in order.
            let tasks = ["canceled", "second", "third"].enumerated().map { number, title in
                Task {
                    while writer.waiting < number { await Task.yield() }
                    try await request { try await $0.add(title) }
                }
            }
            while writer.waiting < 3 { await Task.yield() }
            tasks[0].cancel()
        }
        while try await titles().count < 3 { await Task.yield() }
        #expect(try await titles() == ["third", "second", "first"])
    }
}

extension NoteStore {
    fileprivate var titles: [String] {
        get async throws { try await find(NoteQuery(size: 100)).notes.map(\.note.title) }
    }

    fileprivate func add(_ title: String) async throws { _ = try await add(NoteDraft(title: title)) }
}
