import Foundation
import Testing

extension SocketTests {
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
            let server = try SharedServers.server(wiring)
            let name = "reader-\(UUID().uuidString)"
            let user = Client(server: server, token: try await server.addUser(named: name))
            let note = try await user.create(NoteInput("a"))
            let requests = [
                ("GET", "/notes/\(note.id)?", "/notes/\(note.id)", 200),
                ("GET", "/notes?search=a&page=1", "/notes", 200),
                ("HEAD", "/notes/0", "/notes/0", 404), ("GET", "/notes?page=x", "/notes", 400),
                ("DELETE", "/notes/\(note.id)", "/notes/\(note.id)", 204),
            ]
            for (method, target, path, status) in requests {
                let id = UUID().uuidString
                let response = try await user.send(method, target, headers: [("X-Request-ID", id)])
                #expect(response.status == status, "\(target)")
                let line = try await server.logLine(ofRequest: id)
                let beginning = "request id=\(id) method=\(method) path=\(path) status=\(status) duration_ms="
                #expect(line.hasPrefix(beginning), "\(line)")
                #expect(line.wholeMatch(of: /.* duration_ms=\d+(\.\d+)? user=\S+/) != nil, "\(line)")
                #expect(!line.hasSuffix(" user=-"), "\(line)")
            }
        }

        @Test(arguments: Wiring.allCases) func anonymousRequestsAreLogged(wiring: Wiring) async throws {
            let anonymous = try Client.anonymous(wiring)
            for (target, status) in [("/health", 200), ("/", 200), ("/notes", 401), ("/nothing", 404)] {
                let id = UUID().uuidString
                _ = try await anonymous.send("GET", target, headers: [("X-Request-ID", id)])
                let line = try await anonymous.server.logLine(ofRequest: id)
                #expect(line.contains(" path=\(target) status=\(status) "), "\(line)")
                #expect(line.hasSuffix(" user=-"), "\(line)")
            }
        }

        @Test(arguments: Wiring.allCases) func lineBreaksInPathsAreEscaped(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let forged = UUID().uuidString
            for lineBreak in ["%0A", "%0D%0A", "%1b[2K%0a", "%E2%80%A8", "%C2%85"] {
                let path = "/\(lineBreak)request%20id=\(forged)"
                let id = UUID().uuidString
                _ = try await user.send("GET", path, headers: [("X-Request-ID", id)])
                let line = try await user.server.logLine(ofRequest: id)
                #expect(line.contains(" status=404 "), "\(line)")
                #expect(line.contains(" user="), "The path has no line break that ends the line early: \(line)")
                #expect(!line.contains("\u{1b}"), "\(line)")
            }
            let lines = try user.server.log()
            #expect(!lines.contains { $0.hasPrefix("request id=\(forged)") })
        }

        @Test(arguments: Wiring.allCases) func contentOfNotesIsNotLogged(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let secret = "secret\(UUID().uuidString)"
            let id = UUID().uuidString
            _ = try await user.create(NoteInput(secret, body: secret, tags: [secret]))
            _ = try await user.send(
                "POST", "/notes", headers: [("Content-Type", "application/json")],
                body: Array(#"{"title": "\#(secret)" broken"#.utf8))
            _ = try await user.send("GET", "/notes?search=\(secret)", headers: [("X-Request-ID", id)])
            _ = try await user.server.logLine(ofRequest: id)
            #expect(try !user.server.run.errors().contains(secret))
        }
    }
}
