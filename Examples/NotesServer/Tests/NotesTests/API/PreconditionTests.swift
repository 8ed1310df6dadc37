import Foundation
import Testing

extension APITests {
    struct PreconditionTests {
        @Test(arguments: Wiring.allCases) func knownVersionIsNotModified(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let note = try await user.create(NoteInput("a"))
            for known in ["\"1\"", "\"7\", \"1\"", "W/\"1\"", "*"] {
                let response = try await user.send("GET", "/notes/\(note.id)", headers: [("If-None-Match", known)])
                #expect(response.status == 304, "\(known)")
                #expect(response["ETag"] == "\"1\"", "\(known)")
            }
            for known in ["\"2\"", "\"11\"", "\"0\", \"2\""] {
                let response = try await user.send("GET", "/notes/\(note.id)", headers: [("If-None-Match", known)])
                #expect(response.status == 200, "\(known)")
            }
        }

        @Test(arguments: Wiring.allCases) func updateRequiresAVersion(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let note = try await user.create(NoteInput("a"))
            let response = try await user.send("PUT", "/notes/\(note.id)", NoteInput("b"))
            try expectError(response, 428, "precondition_required")
            #expect(try await user.read(note.id) == note)
        }

        @Test(arguments: Wiring.allCases) func differentVersionIsRefused(wiring: Wiring) async throws {
            try await expectRefusal(
                of: ["\"2\"", "\"0\"", "\"11\"", "\"-1\"", "\"99999999999999999999\""], wiring, 412,
                "precondition_failed")
        }

        @Test(arguments: Wiring.allCases) func invalidVersionIsRefused(wiring: Wiring) async throws {
            try await expectRefusal(
                of: ["1", "\"1", "abc", "\"1\" \"1\"", "1 OR 1=1"], wiring, 400, "invalid_request")
        }

        /// Expects that neither an update nor a removal of a note in version 1 succeeds with these versions.
        private func expectRefusal(
            of versions: [String], _ wiring: Wiring, _ status: Int, _ code: String
        ) async throws {
            let user = try await Client.user(wiring)
            let note = try await user.create(NoteInput("a"))
            for version in versions {
                let headers = [(name: "If-Match", value: version)]
                let update = try await user.send("PUT", "/notes/\(note.id)", NoteInput("b"), headers: headers)
                try expectError(update, status, code, version)
                let removal = try await user.send("DELETE", "/notes/\(note.id)", headers: headers)
                try expectError(removal, status, code, version)
            }
            #expect(try await user.read(note.id) == note)
        }

        @Test(arguments: Wiring.allCases) func starMatchesAnyVersion(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let note = try await user.create(NoteInput("a"))
            let update = try await user.send(
                "PUT", "/notes/\(note.id)", NoteInput("b"), headers: [("If-Match", "*")])
            #expect(update.status == 200)
            let removal = try await user.send("DELETE", "/notes/\(note.id)", headers: [("If-Match", "*")])
            #expect(removal.status == 204)
        }

        @Test(arguments: Wiring.allCases) func matchingVersionIsDeleted(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let note = try await user.create(NoteInput("a"))
            let removal = try await user.send("DELETE", "/notes/\(note.id)", headers: [("If-Match", "\"1\"")])
            #expect(removal.status == 204)
            #expect(try await user.list().total == 0)
        }

        @Test(arguments: Wiring.allCases) func oneOfConcurrentUpdatesSucceeds(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let note = try await user.create(NoteInput("start"))
            for version in 1...5 {
                let responses = try await concurrently(8) { writer in
                    try await user.send(
                        "PUT", "/notes/\(note.id)", NoteInput("version \(version) by \(writer)"),
                        headers: [("If-Match", "\"\(version)\"")])
                }
                let winners = responses.filter { $0.status == 200 }
                #expect(winners.count == 1)
                for loser in responses where loser.status != 200 { try expectError(loser, 412, "precondition_failed") }
                let winner = try #require(winners.first).decoded(as: Note.self)
                #expect(winner.version == version + 1)
                #expect(try await user.read(note.id) == winner)
            }
        }

        @Test(arguments: Wiring.allCases) func concurrentUpdatesOfAnyVersionSucceed(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let note = try await user.create(NoteInput("start"))
            let responses = try await concurrently(8) { writer in
                try await user.send(
                    "PUT", "/notes/\(note.id)", NoteInput("by \(writer)"), headers: [("If-Match", "*")])
            }
            let notes = try responses.map { try $0.decoded(as: Note.self) }
            #expect(notes.map(\.version).sorted() == Array(2...9))
            #expect(try await user.read(note.id) == notes.first { $0.version == 9 })
        }
    }
}
