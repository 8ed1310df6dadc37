import HummingbirdTesting
import Notes
import InMemoryLogging
import NIOCore
import Foundation
import HTTPTypes
import Testing

@Suite(TestServers()) struct AuthorizationTests {
    @Test(arguments: Wiring.allCases) func requestsWithoutATokenAreRefused(wiring: Wiring) async throws {
        let anonymous = try TestServers.server(wiring).anonymous
        let token = try #require(try await TestServers.user(wiring).token)
        for target in ["/notes", "/notes/1", "/notes?token=\(token)&access_token=\(token)"] {
            for method in [HTTPRequest.Method.get, .head, .post, .put, .delete] {
                #expect(try await anonymous.send(method, target).status == .unauthorized, "\(method) \(target)")
            }
        }
        // These need none.
        #expect(try await anonymous.send(.get, "/", [.authorization: "Bearer wrong"]).status == .ok)
        let health = try await anonymous.send(.get, "/health", [.authorization: "Bearer wrong"])
        #expect(try health.status == .ok && health.decoded() == ["status": "ok"])
    }

    @Test(arguments: Wiring.allCases) func wrongTokensAreRefused(wiring: Wiring) async throws {
        let anonymous = try TestServers.server(wiring).anonymous
        let token = try #require(try await TestServers.user(wiring).token)
        #expect(token.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil, "These are 32 bytes in base64url.")
        let otherCharacter = token.dropLast().hasSuffix("A") ? "B" : "A"
        let values = [
            "", "Bearer", "Bearer ", "Bearer x", token, "Basic \(token)", "Bearer \(token)x", "Bearer x\(token)",
            "Bearer \(token.dropLast())", "Bearer \(token.dropLast(2))\(otherCharacter)\(token.suffix(1))",
            "Bearer \(token.prefix(20)) \(token.dropFirst(20))", "Bearer \(token), Bearer \(token)",
            "Bearer \(token)=", "Bearer ' OR 1=1 --", "Bearer \(String(repeating: "A", count: 5_000))",
            "Bearer ü\(token)", "Bearer null", "Bearer \(token.lowercased())",
        ]
        for value in values {
            #expect(
                try await anonymous.send(.get, "/notes", [.authorization: value]).status == .unauthorized, "\(value)")
        }
        #expect(try await anonymous.send(.get, "/notes", [.authorization: "bearer \(token)"]).status == .ok)
    }

    @Test(arguments: Wiring.allCases) func newTokenReplacesTheOldOne(wiring: Wiring) async throws {
        let server = try TestServers.server(wiring)
        var user = try await server.user("ada")
        let old = user.token
        user.token = try await server.wiring.accounts.renewToken(of: "ada")
        #expect(try await user.send(.get, "/notes").status == .ok)
        user.token = old
        #expect(try await user.send(.get, "/notes").status == .unauthorized)
    }

    @Test(arguments: Wiring.allCases) func notesOfOtherUsersAreNotFound(wiring: Wiring) async throws {
        let (owner, other) = (try await TestServers.user(wiring), try await TestServers.user(wiring))
        let note = try await owner.create(NoteInput("private", body: "secret", tags: ["mine"]))
        let target = "/notes/\(note.id)"
        #expect(try await other.send(.get, target).status == .notFound)
        #expect(try await other.send(.get, target, [.ifNoneMatch: "\"1\""]).status == .notFound)
        for version in ["*", "\"1\"", "\"2\""] {
            #expect(try await other.send(.put, target, [.ifMatch: version], note: NoteInput("b")).status == .notFound)
            #expect(try await other.send(.delete, target, [.ifMatch: version]).status == .notFound)
        }
        for query in ["", "?search=secret", "?search=private", "?tag=mine"] {
            #expect(try await other.list(query) == NoteList(notes: [], page: 1, size: 20, total: 0))
        }
        #expect(try await owner.read(note.id) == note)
    }

    @Test(arguments: Wiring.allCases) func tokensAreNotStoredAndNothingPrivateIsLogged(wiring: Wiring) async throws {
        let server = try TestServers.server(wiring)
        let user = try await server.user()
        let note = "note\(UUID().uuidString)"
        _ = try await user.create(NoteInput(note, body: note, tags: [note]))
        _ = try await user.search(note)
        let json: HTTPFields = [.contentType: "application/json"]
        let body = ByteBuffer(string: #"{"title": "\#(note)" broken"#)
        _ = try await user.send(TestClient.Request("/notes", method: .post, headers: json, body: body))
        let token = try #require(user.token)
        var stored = Data()
        for file in try FileManager.default.contentsOfDirectory(atPath: server.folder.path) {
            stored += try Data(contentsOf: server.folder.appending(path: file))
        }
        #expect(stored.range(of: Data(note.utf8)) != nil)
        let plain = token.replacing("-", with: "+").replacing("_", with: "/") + "="
        let bytes = try #require(Data(base64Encoded: plain))
        #expect(bytes.count == 32)
        #expect(stored.range(of: Data(token.utf8)) == nil && stored.range(of: bytes) == nil)
        let log = "\(server.log.entries)"
        #expect(log.contains("request") && !log.contains(token) && !log.contains(note))
    }
}
