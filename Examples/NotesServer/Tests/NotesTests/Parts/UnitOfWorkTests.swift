import DependencyInjection
import DependencyInjectionTesting
import GRDB
import Testing

@testable import Notes

/// The units of work of requests to one database.
@Suite(.dependencies(from: Sample.app) { Sample.database })
struct UnitOfWorkTests {
    private struct Failure: Error {}

    @Test func failedRequestIsRolledBack() async throws {
        let ada = try await Sample.user("ada")
        await #expect(throws: Failure.self) {
            try await Sample.request(of: ada) { store in
                _ = try await store.add(try NoteDraft(title: "one"))
                // The request itself sees its own changes.
                #expect(try await store.find(NoteQuery(size: 9)).total == 1)
                throw Failure()
            }
        }
        #expect(try await Sample.request(of: ada) { try await $0.find(NoteQuery(size: 9)) }.total == 0)
    }

    @Test func uncommittedChangesAreInvisible() async throws {
        let ada = try await Sample.user("ada")
        try await Sample.request(of: ada) { store in
            _ = try await store.add(try NoteDraft(title: "one"))
            #expect(try await Sample.request(of: ada) { try await $0.find(NoteQuery(size: 9)) }.total == 0)
        }
        #expect(try await Sample.request(of: ada) { try await $0.find(NoteQuery(size: 9)) }.total == 1)
    }

    @Test func requestReadsOneSnapshot() async throws {
        let ada = try await Sample.user("ada")
        try await Sample.request(of: ada) { store in
            #expect(try await store.find(NoteQuery(size: 9)).total == 0)
            _ = try await Sample.request(of: ada) { try await $0.add(try NoteDraft(title: "one")) }
            #expect(try await store.find(NoteQuery(size: 9)).total == 0)
        }
    }

    @Test func failedCommitIsAnError() async throws {
        try await DIContainer.current.prepare()
        await #expect(throws: CloseError.self) {
            try await DIContainer.withChild {
                Shared(RequestID())
            } operation: { child in
                // The user does not exist, which SQLite checks at the end of the transaction.
                try await child.resolve(UnitOfWork.self).write {
                    try $0.execute(sql: "PRAGMA defer_foreign_keys = ON")
                    try $0.execute(sql: "INSERT INTO notes VALUES (1, 9, 't', '', '[]', 1, 0, 0)")
                }
            }
        }
        let count = try await DIContainer.resolve(NoteDatabase.self).pool.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM notes")
        }
        #expect(count == 0)
    }

    @Test func eachRequestReturnsItsConnections() async throws {
        let ada = try await Sample.user("ada")
        for number in 0..<20 {
            try? await Sample.request(of: ada) { store in
                _ = try await store.find(NoteQuery(size: 9))
                _ = try await store.add(try NoteDraft(title: "one"))
                if number % 2 == 0 { throw Failure() }
            }
        }
        #expect(try await Sample.request(of: ada) { try await $0.find(NoteQuery(size: 9)) }.total == 10)
    }

    @Test func concurrentPartsOfARequestShareItsTransaction() async throws {
        let ada = try await Sample.user("ada")
        try await Sample.request(of: ada) { store in
            try await withThrowingTaskGroup { group in
                for number in 0..<4 {
                    group.addTask { _ = try await store.find(NoteQuery(size: 9)) }
                    group.addTask { _ = try await store.add(try NoteDraft(title: "\(number)")) }
                }
                try await group.waitForAll()
            }
            #expect(try await store.find(NoteQuery(size: 9)).total == 4)
        }
    }

    @Test func canceledRequestIsRolledBackAndReturnsTheWriter() async throws {
        let ada = try await Sample.user("ada")
        try await Sample.request(of: ada) { store in
            _ = try await store.add(try NoteDraft(title: "first"))
            let waiting = Task {
                try await Sample.request(of: ada) { try await $0.add(try NoteDraft(title: "canceled")) }
            }
            waiting.cancel()
            // It waits for the writer, which this request has.
            try await Task.sleep(for: .milliseconds(20))
        }
        _ = try await Sample.request(of: ada) { try await $0.add(try NoteDraft(title: "second")) }
        let notes = try await Sample.request(of: ada) { try await $0.find(NoteQuery(size: 9)) }.notes
        #expect(notes.map(\.draft.title) == ["second", "first"])
    }
}

/// A gate admits no more tasks than its width, in order.
@Suite struct GateTests {
    @Test func tasksEnterInOrder() async {
        let gate = Gate(width: 1)
        let order = AsyncStream.makeStream(of: Int.self)
        await gate.enter()
        var tasks: [Task<Void, Never>] = []
        for number in 0..<5 {
            tasks.append(
                Task {
                    await gate.enter()
                    order.continuation.yield(number)
                    gate.leave()
                })
            while gate.waiting <= number { await Task.yield() }
        }
        gate.leave()
        for task in tasks { await task.value }
        order.continuation.finish()
        #expect(await order.stream.reduce(into: []) { $0.append($1) } == [0, 1, 2, 3, 4])
    }
}
