import Foundation
import Logging
import Testing

extension APITests {
    struct LogTests {
        @Test(arguments: Wiring.allCases) func validRequestIDIsUsed(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            for id in ["a", "request-1_B", String(repeating: "x", count: 64), UUID().uuidString] {
                let response = try await user.send("GET", "/notes", headers: [("X-Request-ID", id)])
                #expect(response["X-Request-ID"] == id)
                let failure = try await user.send("GET", "/notes/0", headers: [("X-Request-ID", id)])
                try expectError(failure, 404, "not_found")
                #expect(failure["X-Request-ID"] == id)
            }
        }

        @Test(arguments: Wiring.allCases) func invalidRequestIDIsReplaced(wiring: Wiring) async throws {
            let anonymous = try Client.anonymous(wiring)
            var ids: Set<String> = []
            let wrong = ["", "two words", "a;b", "a=b", "ä", String(repeating: "x", count: 65), "<b>", "a\tb", "\"a\""]
            for id in wrong {
                let response = try await anonymous.send("GET", "/health", headers: [("X-Request-ID", id)])
                let new = try #require(response["X-Request-ID"])
                #expect(new != id)
                ids.insert(new)
            }
            for _ in 1...3 { ids.insert(try #require(try await anonymous.send("GET", "/health")["X-Request-ID"])) }
            #expect(ids.count == wrong.count + 3)
        }

        @Test(arguments: Wiring.allCases) func eachRequestIsLoggedInOneLine(wiring: Wiring) async throws {
            let user = try await Client.user(wiring, named: "ada")
            let note = try await user.create(NoteInput("a"))
            let requests = [
                ("GET", "/notes/\(note.id)?", "/notes/\(note.id)", 200, user),
                ("GET", "/notes?search=a&page=1", "/notes", 200, user),
                ("HEAD", "/notes/0", "/notes/0", 404, user), ("GET", "/notes?page=x", "/notes", 400, user),
                ("DELETE", "/notes/\(note.id)", "/notes/\(note.id)", 204, user),
                ("GET", "/%0Arequest%20id=x", "/%0Arequest%20id=x", 404, try Client.anonymous(wiring)),
                ("GET", "/notes", "/notes", 401, try Client.anonymous(wiring)),
            ]
            for (method, target, path, status, client) in requests {
                let id = UUID().uuidString
                let response = try await client.send(method, target, headers: [("X-Request-ID", id)])
                #expect(response.status == status, "\(target)")
                let line = try #require(user.server.log.lines.first { $0.id == id && $0.message == "request" })
                #expect(line.metadata["method"] == "\(method)" && line.metadata["path"] == "\(path)")
                #expect(line.metadata["status"] == "\(status)")
                #expect("\(line.metadata["duration_ms"] ?? "")".wholeMatch(of: /\d+\.\d\d/) != nil)
                #expect(line.metadata["user"] == (client.token == nil ? "-" : "ada"))
            }
        }

        @Test(arguments: Wiring.allCases) func callsOfTheStoreHaveTheIDOfTheirRequest(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let note = try await user.create(NoteInput("a"))
            for id in ["first", "second"] {
                _ = try await user.send("GET", "/notes/\(note.id)", headers: [("X-Request-ID", id)])
                let line = try #require(user.server.log.lines.first { $0.id == id && $0.message == "store" })
                #expect(line.metadata["call"] == "note")
            }
        }

        @Test(arguments: Wiring.allCases) func contentOfNotesIsNotLogged(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let secret = "secret\(UUID().uuidString)"
            _ = try await user.create(NoteInput(secret, body: secret, tags: [secret]))
            _ = try await user.send(
                "POST", "/notes", headers: [("Content-Type", "application/json")],
                body: Array(#"{"title": "\#(secret)" broken"#.utf8))
            _ = try await user.send("GET", "/notes?search=\(secret)")
            #expect(!user.server.log.text.contains(secret))
        }
    }
}
