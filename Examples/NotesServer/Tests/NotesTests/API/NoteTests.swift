import Foundation
import Testing

extension APITests {
    struct NoteTests {
        @Test(arguments: Wiring.allCases) func createdNoteIsShown(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let response = try await user.send(
                "POST", "/notes", NoteInput("Swift", body: "# A *bird*", tags: ["nature", "birds", "nature"]))
            #expect(response.status == 201)
            let note = try response.decoded(as: Note.self)
            #expect(note.id > 0)
            #expect(response["Location"] == "/notes/\(note.id)")
            #expect(response["ETag"] == "\"1\"")
            #expect(response["Content-Type"]?.hasPrefix("application/json") == true)
            #expect(note.title == "Swift")
            #expect(note.body == "# A *bird*")
            #expect(note.html.contains("<h1>A <em>bird</em></h1>"))
            #expect(note.tags == ["birds", "nature"])
            #expect(note.version == 1)
            #expect(note.createdAt == note.updatedAt)
            #expect(note.createdAt.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/) != nil)

            let again = try await user.send("GET", "/notes/\(note.id)")
            #expect(again.status == 200)
            #expect(again["ETag"] == "\"1\"")
            #expect(try again.decoded(as: Note.self) == note)
        }

        @Test(arguments: Wiring.allCases) func updateReplacesEverything(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let note = try await user.create(NoteInput("Before", body: "text", tags: ["old"]))
            let response = try await user.send(
                "PUT", "/notes/\(note.id)", NoteInput("After"), headers: [("If-Match", "\"1\"")])
            #expect(response.status == 200)
            #expect(response["ETag"] == "\"2\"")
            let updated = try response.decoded(as: Note.self)
            #expect(updated.id == note.id)
            #expect(updated.title == "After")
            #expect(updated.body.isEmpty)
            #expect(updated.html.isEmpty)
            #expect(updated.tags.isEmpty)
            #expect(updated.version == 2)
            #expect(updated.createdAt == note.createdAt)
            #expect(updated.updatedAt >= note.updatedAt)
            #expect(try await user.read(note.id) == updated)
        }

        @Test(arguments: Wiring.allCases) func deletedNoteIsNotFound(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let kept = try await user.create(NoteInput("kept"))
            let note = try await user.create(NoteInput("gone", body: "word", tags: ["tag"]))
            let response = try await user.send("DELETE", "/notes/\(note.id)")
            #expect(response.status == 204)
            #expect(response.body.isEmpty)
            try expectError(try await user.send("GET", "/notes/\(note.id)"), 404, "not_found")
            try expectError(try await user.send("DELETE", "/notes/\(note.id)"), 404, "not_found")
            try expectError(
                try await user.send("PUT", "/notes/\(note.id)", NoteInput("back"), headers: [("If-Match", "*")]),
                404, "not_found")
            #expect(try await user.list().notes == [kept])
            #expect(try await user.list("?tag=tag").total == 0)
            #expect(try await user.search("word").total == 0)
        }

        @Test(arguments: Wiring.allCases) func textsAreUnchanged(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let texts = [
                "Grüße, 世界", "👩‍👩‍👧‍👦 family", "\u{202E}right to left", "e\u{301} and \u{e9}",
                "quotes \" and \\ and /", "'; DROP TABLE notes; --", "tab\tand\nline\r\nend", "<b>&amp;</b>",
                "\u{2028}\u{FEFF}",
            ]
            for text in texts {
                let note = try await user.create(NoteInput("title \(text) end", body: text, tags: ["t \(text) t"]))
                let read = try await user.read(note.id)
                #expect(Array(read.title.utf8) == Array("title \(text) end".utf8))
                #expect(Array(read.body.utf8) == Array(text.utf8))
                #expect(read.tags.map { Array($0.utf8) } == [Array("t \(text) t".utf8)])
            }
        }

        @Test(arguments: Wiring.allCases) func renderedTextContainsNoScript(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let attacks = [
                "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[link](javascript:alert(1))",
                "<javascript:alert(1)>", "[link](JaVaScRiPt&colon;alert(1))", "![image](vbscript:alert(1))",
                "[a]: javascript:alert(1)\n\n[a]", "```\"><script>alert(1)</script>\n```",
            ]
            for attack in attacks {
                let html = try await user.create(NoteInput("attack", body: attack)).html.lowercased()
                #expect(!html.contains("<script"), "\(attack): \(html)")
                #expect(!html.contains("<img src=x"), "\(attack): \(html)")
                #expect(html.firstMatch(of: /(href|src)="[^"]*script:/) == nil, "\(attack): \(html)")
            }
        }

        @Test(arguments: Wiring.allCases) func limitsOfNotesAreChecked(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let tooMuch = [
                NoteInput(""), NoteInput(" \n\t "), NoteInput(String(repeating: "a", count: 201)),
                NoteInput("title", tags: (1...21).map { "tag\($0)" }), NoteInput("title", tags: [""]),
                NoteInput("title", tags: [String(repeating: "a", count: 51)]), NoteInput("a\u{0}b"),
                NoteInput("title", body: "a\u{0}b"), NoteInput("title", tags: ["a\u{0}b"]),
            ]
            let existing = try await user.create(NoteInput("existing"))
            for note in tooMuch {
                try expectError(try await user.send("POST", "/notes", note), 422, "invalid_note", "\(note)")
                let update = try await user.send(
                    "PUT", "/notes/\(existing.id)", note, headers: [("If-Match", "*")])
                try expectError(update, 422, "invalid_note", "\(note)")
            }
            #expect(try await user.list().notes == [existing])

            let largest = try await user.create(
                NoteInput(
                    "  " + String(repeating: "ä", count: 200) + "  ",
                    tags: (10...29).map { String(repeating: "ö", count: 48) + "\($0)" }))
            #expect(largest.title == String(repeating: "ä", count: 200))
            #expect(largest.tags.count == 20)
        }

        @Test(arguments: Wiring.allCases) func otherBodiesThanNotesAreRefused(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let wrongTypes = [
                "{}", #"{"body": "text"}"#, #"{"title": 1}"#, #"{"title": null}"#, #"{"title": "a", "body": {}}"#,
                #"{"title": "a", "tags": "a"}"#, #"{"title": "a", "tags": [1]}"#, "[]", "1", "null", #""title""#,
            ]
            let invalid = [
                "", "{", #"{"title": "a""#, #"{"title": "a"} more"#, #"{title: "a"}"#, #"{"title": "\x"}"#, "title=a",
                String(repeating: "[", count: 30_000), String(repeating: #"{"title":"#, count: 7_000),
            ]
            let notUTF8: [[UInt8]] = [[0xff, 0xfe], [0xc3], [0xed, 0xa0, 0x80]]
                .map { Array(#"{"title": ""#.utf8) + $0 + Array(#""}"#.utf8) }
            for (inputs, code) in [
                (wrongTypes.map { Array($0.utf8) }, "invalid_note"), (invalid.map { Array($0.utf8) }, "invalid_json"),
                (notUTF8, "invalid_request"),
            ] {
                for input in inputs {
                    let response = try await user.send(
                        "POST", "/notes", headers: [("Content-Type", "application/json")], body: input)
                    let comment = String(decoding: input.prefix(40), as: UTF8.self)
                    // Foundation reports a value that isn't an object as invalid JSON on some platforms.
                    let isJSON = try response.decoded(as: ErrorResponse.self).error.code == "invalid_json"
                    try expectError(
                        response, code == "invalid_note" && !isJSON ? 422 : 400, isJSON ? "invalid_json" : code, comment
                    )
                }
            }
            #expect(try await user.list().total == 0)
        }

        @Test(arguments: Wiring.allCases) func onlyJSONIsAccepted(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let json = Array(#"{"title": "a"}"#.utf8)
            for type in ["text/plain", "application/jsonx", "application/x-www-form-urlencoded", "json", ""] {
                let response = try await user.send("POST", "/notes", headers: [("Content-Type", type)], body: json)
                try expectError(response, 415, "unsupported_media_type", type)
            }
            try expectError(
                try await user.send("POST", "/notes", body: json), 415, "unsupported_media_type", "no type")
            let existing = try await user.create(NoteInput("existing"))
            let update = try await user.send("PUT", "/notes/\(existing.id)", headers: [("If-Match", "*")], body: json)
            try expectError(update, 415, "unsupported_media_type")
            for type in ["application/json; charset=utf-8", "application/json;charset=UTF-8", "Application/JSON"] {
                let response = try await user.send("POST", "/notes", headers: [("Content-Type", type)], body: json)
                #expect(response.status == 201, "\(type): \(response.text)")
            }
        }
    }
}
