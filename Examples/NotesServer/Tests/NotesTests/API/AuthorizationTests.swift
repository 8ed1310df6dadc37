import Foundation
import Testing

extension APITests {
    struct AuthorizationTests {
        private static let routes = [
            ("GET", "/notes"), ("POST", "/notes"), ("GET", "/notes/1"), ("PUT", "/notes/1"), ("DELETE", "/notes/1"),
            ("HEAD", "/notes"), ("GET", "/notes?search=a"),
        ]

        @Test(arguments: Wiring.allCases) func requestsWithoutATokenAreRefused(wiring: Wiring) async throws {
            let anonymous = try Client.anonymous(wiring)
            for (method, target) in Self.routes {
                let response = try await anonymous.send(method, target)
                if method == "HEAD" {
                    #expect(response.status == 401)
                } else {
                    try expectError(response, 401, "unauthorized", "\(method) \(target)")
                }
            }
        }

        @Test(arguments: Wiring.allCases) func wrongTokensAreRefused(wiring: Wiring) async throws {
            let anonymous = try Client.anonymous(wiring)
            let token = try #require(try await Client.user(wiring).token)
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
                let response = try await anonymous.send("GET", "/notes", headers: [("Authorization", value)])
                try expectError(response, 401, "unauthorized", value)
            }
            let response = try await anonymous.send("GET", "/notes", headers: [("Authorization", "Bearer \(token)")])
            #expect(response.status == 200)
        }

        @Test(arguments: Wiring.allCases) func tokenInTheQueryIsIgnored(wiring: Wiring) async throws {
            let anonymous = try Client.anonymous(wiring)
            let token = try #require(try await Client.user(wiring).token)
            let response = try await anonymous.send("GET", "/notes?token=\(token)&access_token=\(token)")
            try expectError(response, 401, "unauthorized")
        }

        @Test(arguments: Wiring.allCases) func notesOfOtherUsersAreNotFound(wiring: Wiring) async throws {
            let owner = try await Client.user(wiring)
            let other = try await Client.user(wiring)
            let note = try await owner.create(NoteInput("private", body: "secret", tags: ["mine"]))
            let target = "/notes/\(note.id)"
            try expectError(try await other.send("GET", target), 404, "not_found")
            try expectError(
                try await other.send("GET", target, headers: [("If-None-Match", "\"1\"")]), 404, "not_found")
            for version in ["*", "\"1\"", "\"2\""] {
                let headers = [(name: "If-Match", value: version)]
                let update = try await other.send("PUT", target, NoteInput("stolen"), headers: headers)
                try expectError(update, 404, "not_found", version)
                let removal = try await other.send("DELETE", target, headers: headers)
                try expectError(removal, 404, "not_found", version)
            }
            for query in ["", "?search=secret", "?search=private", "?tag=mine"] {
                #expect(try await other.list(query) == NoteList(notes: [], page: 1, size: 20, total: 0))
            }
            #expect(try await owner.read(note.id) == note)
        }

        @Test(arguments: Wiring.allCases) func tokensAreNotStored(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            _ = try await user.create(NoteInput("to be found in the file"))
            let token = try #require(user.token)
            var stored = Data()
            for file in try FileManager.default.contentsOfDirectory(atPath: user.server.folder.path) {
                stored += try Data(contentsOf: user.server.folder.appending(path: file))
            }
            #expect(stored.range(of: Data("to be found in the file".utf8)) != nil)
            #expect(stored.range(of: Data(token.utf8)) == nil)
            let plain = token.replacing("-", with: "+").replacing("_", with: "/") + "="
            let bytes = try #require(Data(base64Encoded: plain))
            #expect(bytes.count == 32)
            #expect(stored.range(of: bytes) == nil)
            #expect(!user.server.log.text.contains(token))
        }

        @Test(arguments: Wiring.allCases) func healthAndPageNeedNoToken(wiring: Wiring) async throws {
            let anonymous = try Client.anonymous(wiring)
            #expect(try await anonymous.send("GET", "/health").status == 200)
            #expect(try await anonymous.send("GET", "/").status == 200)
            let headers = [(name: "Authorization", value: "Bearer wrong")]
            #expect(try await anonymous.send("GET", "/health", headers: headers).status == 200)
        }
    }
}
