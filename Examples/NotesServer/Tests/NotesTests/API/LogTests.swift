import Logging
import InMemoryLogging
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite(TestServers()) struct LogTests {
    @Test(arguments: Wiring.allCases) func validRequestIDIsUsed(wiring: Wiring) async throws {
        let user = try await TestServers.user(wiring)
        for id in ["a", "request-1_B", String(repeating: "x", count: 64), UUID().uuidString] {
            for target in ["/notes", "/notes/0"] {
                #expect(try await user.send(.get, target, [.requestID: id]).headers[.requestID] == id)
            }
        }
        let wrong = ["", "two words", "a;b", "a=b", "ä", String(repeating: "x", count: 65), "<b>", "a\tb", "\"a\""]
        var ids: Set<String> = []
        for id in wrong {
            let response = try await user.send(.get, "/health", [.requestID: id])
            ids.insert(try #require(response.headers[.requestID]))
        }
        #expect(ids.isDisjoint(with: wrong) && ids.count == wrong.count)
    }

    @Test(arguments: Wiring.allCases) func eachRequestIsLoggedInOneLine(wiring: Wiring) async throws {
        let server = try TestServers.server(wiring)
        let user = try await server.user("ada")
        _ = try await user.create(NoteInput("a"))
        let requests: [(HTTPRequest.Method, String, Int, Client)] = [
            (.get, "/notes/1?", 200, user), (.get, "/notes?search=a&page=1", 200, user),
            (.head, "/notes/0", 404, user), (.get, "/notes?page=x", 400, user), (.delete, "/notes/1", 204, user),
            (.get, "/%0Arequest%20id=x", 404, server.anonymous), (.get, "/notes", 401, server.anonymous),
        ]
        for (method, target, status, client) in requests {
            let id = UUID().uuidString
            #expect(try await client.send(method, target, [.requestID: id]).status.code == status, "\(target)")
            let lines = server.log.entries.filter { $0.metadata["id"] == .string(id) }
            let line = try #require(lines.first { $0.message == "request" })
            #expect(lines.filter { $0.message == "request" }.count == 1 && line.level == .info)
            #expect(line.metadata["method"] == .string(method.rawValue) && line.metadata["status"] == "\(status)")
            #expect(line.metadata["path"] == "\(target.prefix { $0 != "?" })")
            #expect(line.metadata["user"] == (client.token == nil ? "-" : "ada"))
            #expect("\(line.metadata["duration_ms"] ?? "")".wholeMatch(of: /\d+\.\d\d/) != nil)
            // A call of the store has the ID, too.
            if target.hasPrefix("/notes/1") {
                #expect(lines.contains { $0.message == "store" && $0.metadata["call"] != nil })
            }
        }
    }
}
