import DependencyInjection
import DependencyInjectionTesting
import Foundation
import Testing

@testable import Notes
@testable import NotesWiring

@Suite(.dependencies(from: app.container) { temporaryDatabase() })
struct NoteStoreTests {
    @Test func addsAndReadsNotes() async throws {
        let ada = try await DIContainer.addUser("ada")
        let added = try await DIContainer.with(ada) {
            try await $0.add(
                try NoteDraft(title: "Zürich\0", body: "# Über\n'); DROP TABLE notes;", tags: ["b\"", "ä", "b\""]))
        }
        let found = try await DIContainer.with(ada) { try await $0.note(added.id) }
        #expect(found == added)
        #expect(found.draft.title == "Zürich\0")
        #expect(found.draft.tags == ["b\"", "ä"])
        #expect(found.version == 1)
        #expect(found.createdAt == Date(timeIntervalSince1970: 1))
    }

    @Test func replacesOnlyAMatchingVersion() async throws {
        let ada = try await DIContainer.addUser("ada")
        let first = try await DIContainer.with(ada) { try await $0.add(try NoteDraft(title: "one")) }
        let second = try await DIContainer.with(ada) {
            try await $0.replace(first.id, with: try NoteDraft(title: "two", tags: ["x"])) { $0 == 1 }
        }
        #expect(second.version == 2)
        #expect(second.createdAt == first.createdAt)
        #expect(second.updatedAt > first.updatedAt)
        await #expect(throws: NoteError.changed) {
            try await DIContainer.with(ada) {
                _ = try await $0.replace(first.id, with: try NoteDraft(title: "three")) { $0 == 1 }
            }
        }
        await #expect(throws: NoteError.changed) {
            try await DIContainer.with(ada) { try await $0.remove(first.id) { $0 == 1 } }
        }
        #expect(try await DIContainer.with(ada) { try await $0.note(first.id) } == second)
    }

    @Test func oneOfConcurrentReplacementsSucceeds() async throws {
        let ada = try await DIContainer.addUser("ada")
        let note = try await DIContainer.with(ada) { try await $0.add(try NoteDraft(title: "one")) }
        let changed = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let replaced = try? await DIContainer.with(ada) {
                        try await $0.replace(note.id, with: try NoteDraft(title: "by \(number)")) { $0 == 1 }
                    }
                    return replaced != nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(changed == 1)
        #expect(try await DIContainer.with(ada) { try await $0.note(note.id) }.version == 2)
    }

    @Test func hidesNotesOfOtherUsers() async throws {
        let ada = try await DIContainer.addUser("ada")
        let eve = try await DIContainer.addUser("eve")
        let note = try await DIContainer.with(ada) { try await $0.add(try NoteDraft(title: "secret", tags: ["t"])) }
        try await DIContainer.with(eve) { store in
            await #expect(throws: NoteError.notFound) { try await store.note(note.id) }
            await #expect(throws: NoteError.notFound) {
                try await store.replace(note.id, with: try NoteDraft(title: "mine")) { _ in true }
            }
            await #expect(throws: NoteError.notFound) { try await store.remove(note.id) { _ in true } }
            for query in [
                NoteQuery(size: 9), NoteQuery(search: "secret", size: 9), NoteQuery(tag: "t", size: 9),
            ] {
                let found = try await store.find(query)
                #expect(found == NotePage(notes: [], total: 0))
            }
        }
        #expect(try await DIContainer.with(ada) { try await $0.note(note.id) } == note)
    }

    @Test func pagesBeginWithTheNewestChange() async throws {
        let ada = try await DIContainer.addUser("ada")
        try await DIContainer.with(ada) { store in
            for number in 1...5 { _ = try await store.add(try NoteDraft(title: "\(number)", tags: ["t\(number % 2)"])) }
            _ = try await store.replace(2, with: try NoteDraft(title: "2 again", tags: ["t0"])) { _ in true }
        }
        func titles(_ query: NoteQuery) async throws -> [String] {
            try await DIContainer.with(ada) { try await $0.find(query) }.notes.map(\.draft.title)
        }
        #expect(try await titles(NoteQuery(size: 2)) == ["2 again", "5"])
        #expect(try await titles(NoteQuery(page: 2, size: 2)) == ["4", "3"])
        #expect(try await titles(NoteQuery(page: 3, size: 2)) == ["1"])
        #expect(try await titles(NoteQuery(page: 4, size: 2)) == [])
        #expect(try await titles(NoteQuery(page: .max, size: 2)) == [])
        #expect(try await titles(NoteQuery(tag: "t1", size: 9)) == ["5", "3", "1"])
        #expect(try await DIContainer.with(ada) { try await $0.find(NoteQuery(tag: "t0", size: 1)) }.total == 2)
    }

    @Test(arguments: [
        ("gard", ["Garden"]), ("GARDEN", ["Garden"]), ("plants water", ["Garden"]), ("plants missing", []),
        ("green", ["Garden"]), ("water", ["Sea", "Garden"]), ("'; DROP TABLE notes; --", []), ("water OR", []),
        ("wat*", ["Sea", "Garden"]), ("NEAR(water)", []), ("title:garden", []), ("\"", []), ("\"\u{301}", []),
        ("***", []), ("\0", ["Sea", "Garden"]), ("  ", ["Sea", "Garden"]), ("w\0ater", []), ("(", []),
    ])
    func searchTakesWordsAsTheyAre(_ search: String, _ titles: [String]) async throws {
        let ada = try await DIContainer.addUser("ada")
        try await DIContainer.with(ada) { store in
            _ = try await store.add(try NoteDraft(title: "Garden", body: "Water the plants.", tags: ["green"]))
            _ = try await store.add(try NoteDraft(title: "Sea", body: "Water, water.", tags: ["blue"]))
        }
        let found = try await DIContainer.with(ada) { try await $0.find(NoteQuery(search: search, size: 9)) }
        #expect(found.notes.map(\.draft.title) == titles)
        #expect(found.total == titles.count)
    }

    @Test func searchReflectsChanges() async throws {
        let ada = try await DIContainer.addUser("ada")
        func count(_ search: String) async throws -> Int {
            try await DIContainer.with(ada) { try await $0.find(NoteQuery(search: search, size: 9)) }.total
        }
        let note = try await DIContainer.with(ada) { try await $0.add(try NoteDraft(title: "before")) }
        _ = try await DIContainer.with(ada) {
            try await $0.replace(note.id, with: NoteDraft(title: "after")) { _ in true }
        }
        #expect(try await count("before") == 0)
        #expect(try await count("after") == 1)
        try await DIContainer.with(ada) { try await $0.remove(note.id) { _ in true } }
        #expect(try await count("after") == 0)
    }

    @Test func searchAcceptsThousandsOfWords() async throws {
        let ada = try await DIContainer.addUser("ada")
        let words = String(repeating: "w ", count: 4_000)
        #expect(try await DIContainer.with(ada) { try await $0.find(NoteQuery(search: words, size: 9)) }.total == 0)
    }

    @Test func logsTheDurationOfEachCall() async throws {
        let log = RecordingLog()
        DIContainer.register(Shared(log as any Log))
        let ada = try await DIContainer.addUser("ada")
        _ = try await DIContainer.with(ada) { try await $0.add(try NoteDraft(title: "one")) }
        #expect(log.lines.count == 1)
        #expect(log.lines.first?.contains("call=add duration_ms=") == true)
    }
}
