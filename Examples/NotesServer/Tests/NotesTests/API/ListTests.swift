import Foundation
import Testing

extension APITests {
    struct ListTests {
        @Test(arguments: Wiring.allCases) func newUserHasNoNotes(wiring: Wiring) async throws {
            let list = try await Client.user(wiring).list()
            #expect(list == NoteList(notes: [], page: 1, size: 20, total: 0))
        }

        @Test(arguments: Wiring.allCases) func pagesContainEachNoteOnce(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            var notes: [Note] = []
            for number in 1...25 { notes.insert(try await user.create(NoteInput("note \(number)")), at: 0) }

            let first = try await user.list()
            #expect(first == NoteList(notes: Array(notes[..<20]), page: 1, size: 20, total: 25))
            let second = try await user.list("?page=2")
            #expect(second == NoteList(notes: Array(notes[20...]), page: 2, size: 20, total: 25))
            let third = try await user.list("?page=3")
            #expect(third == NoteList(notes: [], page: 3, size: 20, total: 25))

            var collected: [Note] = []
            for page in 1...4 { collected += try await user.list("?size=7&page=\(page)").notes }
            #expect(collected == notes)
            #expect(try await user.list("?size=100").notes == notes)
            #expect(try await user.list("?size=1&page=25").notes == [notes[24]])
        }

        @Test(arguments: Wiring.allCases) func newestChangeComesFirst(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            var ids: [Int] = []
            for title in ["a", "b", "c"] { ids.append(try await user.create(NoteInput(title)).id) }
            for (id, title) in [(ids[0], "a changed"), (ids[1], "b changed")] {
                let update = try await user.send(
                    "PUT", "/notes/\(id)", NoteInput(title), headers: [("If-Match", "*")])
                #expect(update.status == 200)
            }
            #expect(try await user.list().titles == ["b changed", "a changed", "c"])
        }

        @Test(arguments: Wiring.allCases) func tagsFilter(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let tags = ["a&b=c", "1+1", "50%", "two words", "ä", "x'--", "under_score", "underXscore", "a\"b"]
            for tag in tags { _ = try await user.create(NoteInput("note of \(tag)", tags: [tag, "all"])) }
            for tag in tags {
                #expect(try await user.list("?tag=\(percentEncoded(tag))").titles == ["note of \(tag)"])
            }
            #expect(try await user.list("?tag=two+words").total == 1)
            #expect(try await user.list("?tag=all").total == tags.count)
            #expect(try await user.list("?tag=all&size=2&page=2").titles.count == 2)
            #expect(try await user.list("?tag=al").total == 0)
            #expect(try await user.list("?tag=all&search=words").titles == ["note of two words"])
        }

        @Test(arguments: Wiring.allCases) func invalidQueriesAreRefused(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let queries = [
                "page=0", "page=-1", "page=x", "page=", "page=1.0", "page=1e3", "page=0x1", "page=%201",
                "page=99999999999999999999", "size=0", "size=-5", "size=101", "size=x", "size=",
                "size=99999999999999999999", "page=1&page=2", "size=5&size=5", "search=a&search=b", "tag=a&tag=b",
                "sort=title", "page=1&unknown=1", "Page=1", "search=%ff", "search=%c3%28", "tag=%ed%a0%80",
                "page=1'", "size=1;DROP", "search=a&=b",
            ]
            for query in queries {
                try expectError(try await user.send("GET", "/notes?\(query)"), 400, "invalid_request", query)
            }
        }

        @Test(arguments: Wiring.allCases) func lastPossiblePageIsEmpty(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            _ = try await user.create(NoteInput("only one"))
            for page in ["\(Int.max)", "\(Int.max / 100)", "\(Int32.max)"] {
                let response = try await user.send("GET", "/notes?page=\(page)&size=100")
                switch response.status {
                case 200: #expect(try response.decoded(as: NoteList.self).notes.isEmpty)
                default: try expectError(response, 400, "invalid_request", page)
                }
            }
        }
    }
}
