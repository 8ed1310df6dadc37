import Foundation
import Testing

extension APITests {
    struct SearchTests {
        @Test(arguments: Wiring.allCases) func wordsAreFoundInAllFields(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            _ = try await user.create(NoteInput("Kingfisher", body: "a blue bird", tags: ["rivers"]))
            _ = try await user.create(NoteInput("Blackbird", body: "sings in gardens", tags: ["songs"]))
            #expect(try await user.search("kingfisher").titles == ["Kingfisher"])
            #expect(try await user.search("gardens").titles == ["Blackbird"])
            #expect(try await user.search("rivers").titles == ["Kingfisher"])
            #expect(try await user.search("KING").titles == ["Kingfisher"], "A word matches as a prefix, in any case.")
            #expect(try await user.search("fisher").total == 0)
            #expect(try await user.search("blue king").titles == ["Kingfisher"], "All words have to occur.")
            #expect(try await user.search("  blue \t\n king ").titles == ["Kingfisher"])
            #expect(try await user.search("blue gardens").total == 0)
            #expect(try await user.list("?search=blue+bird").titles == ["Kingfisher"])
        }

        @Test(arguments: Wiring.allCases) func bestMatchComesFirst(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let filler = String(repeating: "many other words stand here ", count: 40)
            _ = try await user.create(NoteInput("best", body: "otter otter otter"))
            _ = try await user.create(NoteInput("worst", body: filler + "otter " + filler))
            _ = try await user.create(NoteInput("none", body: filler))
            let list = try await user.search("otter")
            #expect(list.titles == ["best", "worst"])
            #expect(list.total == 2)
            #expect(try await user.list("?search=otter&size=1&page=2").titles == ["worst"])
        }

        @Test(arguments: Wiring.allCases) func changedTextIsFound(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let note = try await user.create(NoteInput("title", body: "earlier", tags: ["first"]))
            let update = try await user.send(
                "PUT", "/notes/\(note.id)", NoteInput("title", body: "later", tags: ["second"]),
                headers: [("If-Match", "*")])
            #expect(update.status == 200)
            #expect(try await user.search("earlier").total == 0)
            #expect(try await user.search("first").total == 0)
            #expect(try await user.search("later second").total == 1)
        }

        @Test(arguments: Wiring.allCases) func syntaxIsSearchedAsText(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            _ = try await user.create(NoteInput("first", body: "alpha"))
            _ = try await user.create(NoteInput("second", body: "beta"))
            // Each of these would match a note or fail if it were parsed as a query.
            let nothing = [
                "alpha OR beta", "alpha NOT beta", "title:first", "body:alpha", "{title body}:alpha", "^alpha beta",
                "alpha\" OR \"beta", "\" OR 1=1 --", "'; DROP TABLE notes; --", "') OR ('1'='1", "NEAR(alpha beta)",
                "rank:alpha", "alpha AND", "rowid:1", "x' UNION SELECT token FROM users --",
            ]
            for text in nothing { #expect(try await user.search(text).total == 0, "\(text)") }
            for text in ["alpha*", "\"alpha\"", "(alpha)", "alpha\"", "\"alpha", "^alpha", "-alpha", "+alpha", "al*"] {
                #expect(try await user.search(text).titles == ["first"], "\(text)")
            }
            #expect(try await user.list().total == 2)
        }

        @Test(arguments: Wiring.allCases) func textWithoutWordsIsAccepted(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            _ = try await user.create(NoteInput("only one"))
            let texts = [
                "", " ", "\"", "\"\"", "\"\"\"", "*", "'", "--", "(", ")", "{}", "^", ":", "\\", "%", "_", ";", "\u{0}",
                "🦆", "\u{200B}", "\u{FFFE}", "a\u{0}b", String(repeating: "\"", count: 1_000),
            ]
            for text in texts { #expect(try await user.search(text).total <= 1) }
            let long = try await user.search(String(repeating: "word ", count: 500))
            #expect(long.total == 0)
            #expect(try await user.search(String(repeating: "x", count: 5_000)).total == 0)
        }

        @Test(arguments: Wiring.allCases) func lettersOfAllLanguagesAreFound(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            _ = try await user.create(NoteInput("Größe", body: "Ελληνικά и русский", tags: ["日本語"]))
            for text in ["größe", "Ελλην", "русский", "日本"] {
                #expect(try await user.search(text).total == 1, "\(text)")
            }
        }
    }
}
