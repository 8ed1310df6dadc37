import HummingbirdTesting
import HTTPTypes
import Testing

@Suite(TestServers()) struct SearchTests {
    // MARK: Lists

    @Test(arguments: Wiring.allCases) func pagesContainEachNoteOnce(wiring: Wiring) async throws {
        let user = try await TestServers.user(wiring)
        #expect(try await user.list() == NoteList(notes: [], page: 1, size: 20, total: 0))
        var notes: [Note] = []
        for number in 1...25 { notes.insert(try await user.create(NoteInput("note \(number)")), at: 0) }
        for (page, range) in [(1, 0..<20), (2, 20..<25), (3, 25..<25)] {
            let expected = NoteList(notes: Array(notes[range]), page: page, size: 20, total: 25)
            #expect(try await user.list("?page=\(page)") == expected)
        }
        var collected: [Note] = []
        for page in 1...4 { collected += try await user.list("?size=7&page=\(page)").notes }
        #expect(collected == notes)
        #expect(try await user.list("?size=100").notes == notes)
        #expect(try await user.list("?size=1&page=25").notes == [notes[24]])
        for page in [Int.max, Int.max / 100, Int(Int32.max)] {
            #expect(try await user.list("?page=\(page)&size=100").notes.isEmpty)
        }
        // The newest change comes first.
        let target = "/notes/\(notes[12].id)"
        #expect(try await user.send(.put, target, [.ifMatch: "*"], note: NoteInput("changed")).status == .ok)
        #expect(try await user.list("?size=2").titles == ["changed", "note 25"])
    }

    @Test(arguments: Wiring.allCases) func tagsFilter(wiring: Wiring) async throws {
        let user = try await TestServers.user(wiring)
        let tags = ["a&b=c", "1+1", "50%", "two words", "ä", "x'--", "under_score", "underXscore", "a\"b"]
        for tag in tags { _ = try await user.create(NoteInput("note of \(tag)", tags: [tag, "all"])) }
        for tag in tags {
            #expect(try await user.list("?tag=\(tag.percentEncoded)").titles == ["note of \(tag)"])
        }
        #expect(try await user.list("?tag=two+words").total == 1)
        #expect(try await user.list("?tag=all").total == tags.count)
        #expect(try await user.list("?tag=all&size=2&page=2").titles.count == 2)
        #expect(try await user.list("?tag=al").total == 0)
        #expect(try await user.list("?tag=all&search=words").titles == ["note of two words"])
    }

    // MARK: Searches

    @Test(arguments: Wiring.allCases) func wordsAreFoundInAllFields(wiring: Wiring) async throws {
        let user = try await TestServers.user(wiring)
        _ = try await user.create(NoteInput("Kingfisher", body: "a blue bird", tags: ["rivers"]))
        _ = try await user.create(NoteInput("Blackbird", body: "sings in gardens", tags: ["songs"]))
        _ = try await user.create(NoteInput("Größe", body: "Ελληνικά и русский", tags: ["日本語"]))
        // A word matches as a prefix, in any case. All words have to occur.
        for (search, titles) in [
            ("kingfisher", ["Kingfisher"]), ("gardens", ["Blackbird"]), ("rivers", ["Kingfisher"]), ("fisher", []),
            ("KING", ["Kingfisher"]), ("blue king", ["Kingfisher"]), ("  blue \t\n king ", ["Kingfisher"]),
            ("blue gardens", []), ("größe", ["Größe"]), ("Ελλην", ["Größe"]), ("русский", ["Größe"]), ("日本", ["Größe"]),
        ] {
            #expect(try await user.search(search).titles == titles, "\(search)")
        }
        #expect(try await user.list("?search=blue+bird").titles == ["Kingfisher"])
    }

    @Test(arguments: Wiring.allCases) func bestMatchComesFirst(wiring: Wiring) async throws {
        let user = try await TestServers.user(wiring)
        let filler = String(repeating: "many other words stand here ", count: 40)
        _ = try await user.create(NoteInput("best", body: "otter otter otter"))
        _ = try await user.create(NoteInput("worst", body: filler + "otter " + filler))
        _ = try await user.create(NoteInput("none", body: filler))
        #expect(try await user.search("otter").titles == ["best", "worst"])
        let last = try await user.list("?search=otter&size=1&page=2")
        #expect(last.titles == ["worst"] && last.total == 2)
    }

    @Test(arguments: Wiring.allCases) func syntaxIsSearchedAsText(wiring: Wiring) async throws {
        let user = try await TestServers.user(wiring)
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
        let user = try await TestServers.user(wiring)
        _ = try await user.create(NoteInput("only one"))
        let texts = [
            "", " ", "\"", "\"\"", "\"\"\"", "*", "'", "--", "(", ")", "{}", "^", ":", "\\", "%", "_", ";", "\u{0}",
            "🦆",
            "\u{200B}", "\u{FFFE}", "a\u{0}b", String(repeating: "\"", count: 1_000),
            String(repeating: "x", count: 5_000),
        ]
        for text in texts { #expect(try await user.search(text).total <= 1) }
        #expect(try await user.search(String(repeating: "word ", count: 500)).total == 0)
    }
}
