import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@Suite(TestServers()) struct NoteTests {
    @Test(arguments: Wiring.allCases) func createdNoteIsShown(wiring: Wiring) async throws {
        let user = try await TestServers.user(wiring)
        let response = try await user.send(
            .post, "/notes", note: NoteInput("Swift", body: "# A *bird*", tags: ["nature", "birds", "nature"]))
        #expect(response.status == .created)
        let note = try response.decoded(as: Note.self)
        #expect(note.id > 0 && note.title == "Swift" && note.body == "# A *bird*" && note.version == 1)
        #expect(note.html.contains("<h1>A <em>bird</em></h1>"))
        #expect(note.tags == ["birds", "nature"])
        #expect(note.createdAt.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/) != nil)
        #expect(note.createdAt == note.updatedAt)
        #expect(response.headers[.location] == "/notes/\(note.id)" && response.headers[.eTag] == "\"1\"")
        #expect(response.headers[.contentType]?.hasPrefix("application/json") == true)

        for type in ["application/json; charset=utf-8", "application/json;charset=UTF-8", "Application/JSON"] {
            let body = ByteBuffer(string: #"{"title": "a"}"#)
            let request = TestClient.Request("/notes", method: .post, headers: [.contentType: type], body: body)
            #expect(try await user.send(request).status == .created)
        }
        let again = try await user.send(.get, "/notes/\(note.id)")
        #expect(again.status == .ok && again.headers[.eTag] == "\"1\"")
        #expect(try again.decoded(as: Note.self) == note)
    }

    @Test(arguments: Wiring.allCases) func updateReplacesEverything(wiring: Wiring) async throws {
        let user = try await TestServers.user(wiring)
        let note = try await user.create(NoteInput("Before", body: "text", tags: ["old"]))
        let response = try await user.send(.put, "/notes/\(note.id)", [.ifMatch: "\"1\""], note: NoteInput("After"))
        #expect(response.status == .ok && response.headers[.eTag] == "\"2\"")
        let updated = try response.decoded(as: Note.self)
        #expect(updated.id == note.id && updated.title == "After" && updated.version == 2)
        #expect(updated.body.isEmpty && updated.html.isEmpty && updated.tags.isEmpty)
        #expect(updated.createdAt == note.createdAt && updated.updatedAt >= note.updatedAt)
        #expect(try await user.read(note.id) == updated)
        let (before, after) = (try await user.search("before"), try await user.search("after"))
        #expect(before.notes.isEmpty && after.notes == [updated])
    }

    @Test(arguments: Wiring.allCases, [nil, "*", "\"1\"", "\"7\", \"1\""])
    func deletedNoteIsNotFound(wiring: Wiring, version: String?) async throws {
        let user = try await TestServers.user(wiring)
        let other = try await user.create(NoteInput("other"))
        let note = try await user.create(NoteInput("deleted", body: "word", tags: ["tag"]))
        let target = "/notes/\(note.id)"
        var headers: HTTPFields = [:]
        headers[.ifMatch] = version
        let response = try await user.send(.delete, target, headers)
        #expect(response.status == .noContent && response.text.isEmpty)
        #expect(try await user.send(.get, target).status == .notFound)
        #expect(try await user.send(.delete, target).status == .notFound)
        #expect(try await user.send(.put, target, [.ifMatch: "*"], note: NoteInput("b")).status == .notFound)
        #expect(try await user.list().notes == [other])
        #expect(try await user.list("?tag=tag").total == 0)
        #expect(try await user.search("word").total == 0)
    }

    @Test(arguments: Wiring.allCases) func knownVersionIsNotModified(wiring: Wiring) async throws {
        let user = try await TestServers.user(wiring)
        let note = try await user.create(NoteInput("a"))
        for (known, status) in [
            ("\"1\"", HTTPResponse.Status.notModified), ("\"7\", \"1\"", .notModified), ("W/\"1\"", .notModified),
            ("*", .notModified), ("\"2\"", .ok), ("\"11\"", .ok), ("\"0\", \"2\"", .ok),
        ] {
            let response = try await user.send(.get, "/notes/\(note.id)", [.ifNoneMatch: known])
            #expect(response.status == status && response.headers[.eTag] == "\"1\"", "\(known)")
            #expect(response.text.isEmpty == (status == .notModified), "\(known)")
        }
    }

    @Test(arguments: Wiring.allCases) func textsAreUnchanged(wiring: Wiring) async throws {
        let user = try await TestServers.user(wiring)
        let texts = [
            "Grüße, 世界", "👩‍👩‍👧‍👦 family", "\u{202E}right to left", "e\u{301} and \u{e9}", "\u{2028}\u{FEFF}",
            "quotes \" and \\ and /", "'; DROP TABLE notes; --", "tab\tand\nline\r\nend", "<b>&amp;</b>",
        ]
        for text in texts {
            let note = try await user.create(NoteInput("title \(text) end", body: text, tags: ["t \(text) t"]))
            let read = try await user.read(note.id)
            let texts = ["title \(text) end", text, "t \(text) t"]
            #expect(([read.title, read.body] + read.tags).map { Array($0.utf8) } == texts.map { Array($0.utf8) })
        }
        let largest = try await user.create(
            NoteInput(
                "  " + String(repeating: "ä", count: 200) + "  ",
                tags: (10...29).map { String(repeating: "ö", count: 48) + "\($0)" }))
        #expect(largest.title == String(repeating: "ä", count: 200) && largest.tags.count == 20)
    }

    @Test(arguments: Wiring.allCases) func renderedTextContainsNoScript(wiring: Wiring) async throws {
        let user = try await TestServers.user(wiring)
        let attacks = [
            "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[link](javascript:alert(1))",
            "<javascript:alert(1)>", "[link](JaVaScRiPt&colon;alert(1))", "![image](vbscript:alert(1))",
            "[a]: javascript:alert(1)\n\n[a]", "```\"><script>alert(1)</script>\n```",
        ]
        for attack in attacks {
            let html = try await user.create(NoteInput("attack", body: attack)).html.lowercased()
            #expect(!html.contains("<script") && !html.contains("<img src=x"), "\(attack): \(html)")
            #expect(html.firstMatch(of: /(href|src)="[^"]*script:/) == nil, "\(attack): \(html)")
        }
    }

    @Test(arguments: Wiring.allCases) func oneOfConcurrentUpdatesSucceeds(wiring: Wiring) async throws {
        let user = try await TestServers.user(wiring)
        let note = try await user.create(NoteInput("start"))
        for version in 1...5 {
            let responses = try await concurrently(8) { writer in
                try await user.send(
                    .put, "/notes/\(note.id)", [.ifMatch: "\"\(version)\""], note: NoteInput("\(version) by \(writer)"))
            }
            #expect(responses.filter { $0.status == .preconditionFailed }.count == 7)
            let winner = try #require(responses.first { $0.status == .ok }).decoded(as: Note.self)
            #expect(winner.version == version + 1)
            #expect(try await user.read(note.id) == winner)
        }
        // Any version may be changed.
        let responses = try await concurrently(8) { writer in
            try await user.send(.put, "/notes/\(note.id)", [.ifMatch: "*"], note: NoteInput("by \(writer)"))
        }
        let notes = try responses.map { try $0.decoded(as: Note.self) }
        #expect(notes.map(\.version).sorted() == Array(7...14))
        #expect(try await user.read(note.id) == notes.first { $0.version == 14 })
    }

    // MARK: Other routes

    @Test(arguments: Wiring.allCases) func pageLoadsNoOtherResources(wiring: Wiring) async throws {
        let response = try await TestServers.server(wiring).anonymous.send(.get, "/")
        #expect(response.status == .ok && response.headers[.xContentTypeOptions] == "nosniff")
        #expect(response.headers[.contentType]?.lowercased().hasPrefix("text/html") == true)
        let policy = try #require(response.headers[.contentSecurityPolicy])
        #expect(policy.contains("default-src 'none'"))
        #expect(!policy.contains("unsafe-inline") && !policy.contains("unsafe-eval") && !policy.contains("*"))
        #expect(response.text.firstMatch(of: /(src|href)\s*=\s*["']?(https?:)?\/\//) == nil)
        #expect(response.text.contains("<html lang="))
    }

    @Test(arguments: Wiring.allCases, ["/", "/health", "/notes", "/notes?size=5", "/notes/1", "/notes/0", "/nothing"])
    func headHasNoBody(wiring: Wiring, target: String) async throws {
        let user = try await TestServers.user(wiring)
        _ = try await user.create(NoteInput("a"))
        let (get, head) = (try await user.send(.get, target), try await user.send(.head, target))
        #expect(head.status == get.status && (head.text.isEmpty || get.status != .ok))
        for name in [HTTPField.Name.contentType, .eTag, .cacheControl] {
            #expect(head.headers[name] == get.headers[name], "\(name)")
        }
        // The text of an error contains the ID of its request.
        if get.status == .ok { #expect(head.headers[.contentLength] == get.headers[.contentLength]) }
    }
}
