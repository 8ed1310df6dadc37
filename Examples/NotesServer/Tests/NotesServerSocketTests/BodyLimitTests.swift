import Foundation
import Testing

extension SocketTests {
    struct BodyLimitTests {
        private static let limit = 65_536

        private func post(_ user: Client, headers: [(name: String, value: String)]) -> Request {
            user.request("POST", "/notes", headers: headers + [("Content-Type", "application/json")])
        }

        @Test(arguments: Wiring.allCases) func largestBodyIsAccepted(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let json = try NoteInput("large").json
            let padding = [UInt8](repeating: UInt8(ascii: " "), count: Self.limit - json.count)
            let headers = [(name: "Content-Type", value: "application/json")]
            let response = try await user.send("POST", "/notes", headers: headers, body: json + padding)
            #expect(response.status == 201)

            let tooLarge = try await user.send(
                "POST", "/notes", headers: headers, body: json + padding + [UInt8(ascii: " ")])
            try expectError(tooLarge, 413, "too_large")
            #expect(try await user.list().total == 1)
        }

        @Test(arguments: Wiring.allCases) func tooLargeAnnouncedLengthIsRefused(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            for length in ["65537", "10000000", "9223372036854775807"] {
                let connection = try Connection(to: user.server.port)
                // No byte of the body is sent, so the server has to respond immediately.
                try await connection.send(post(user, headers: [("Content-Length", length)]).bytes)
                try expectError(try await connection.receive(to: "POST"), 413, "too_large", length)
                #expect(try await connection.receiveUntilClosed().isEmpty)
            }
        }

        @Test(arguments: Wiring.allCases) func tooLargeBodyIsRefusedBeforeItIsSent(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let connection = try Connection(to: user.server.port)
            try await connection.send(
                post(user, headers: [("Content-Length", "100000"), ("Expect", "100-continue")]).bytes)
            try expectError(try await connection.receive(to: "POST"), 413, "too_large")
        }

        @Test(arguments: Wiring.allCases) func chunksAreCounted(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let connection = try Connection(to: user.server.port)
            try await connection.send(post(user, headers: [("Transfer-Encoding", "chunked")]).bytes)
            // The last byte is over the limit. The body has no end: the server must not wait for it.
            try await connection.send(chunk(String(repeating: " ", count: Self.limit)))
            try await connection.send("1\r\n ")
            try expectError(try await connection.receive(to: "POST"), 413, "too_large")
            #expect(try await connection.receiveUntilClosed().isEmpty)
        }

        @Test(arguments: Wiring.allCases) func endlessBodyIsRefused(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let connection = try Connection(to: user.server.port)
            try await connection.send(post(user, headers: [("Transfer-Encoding", "chunked")]).bytes)
            let piece = Array(chunk(String(repeating: " ", count: 8_192)).utf8)
            // For a moment the server discards further bytes. Their number depends on the machine.
            let limit = ContinuousClock.now + .seconds(60)
            var isCutOff = false
            do {
                while .now < limit { try await connection.send(piece) }
            } catch Connection.Failure.closed { isCutOff = true }
            #expect(isCutOff, "The server reads without an end.")
            #expect(try await user.list().total == 0)
        }

        @Test(arguments: Wiring.allCases) func otherRoutesHaveTheSameLimit(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let note = try await user.create(NoteInput("a"))
            for (method, target) in [("PUT", "/notes/\(note.id)"), ("DELETE", "/notes/\(note.id)"), ("GET", "/notes")] {
                let connection = try Connection(to: user.server.port)
                let headers = [("Content-Length", "65537"), ("If-Match", "*"), ("Content-Type", "application/json")]
                try await connection.send(user.request(method, target, headers: headers).bytes)
                try expectError(try await connection.receive(to: method), 413, "too_large", "\(method) \(target)")
            }
            #expect(try await user.read(note.id) == note)
        }

        @Test(arguments: Wiring.allCases) func refusedBodyIsLogged(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let id = UUID().uuidString
            let connection = try Connection(to: user.server.port)
            try await connection.send(post(user, headers: [("Content-Length", "70000"), ("X-Request-ID", id)]).bytes)
            let response = try await connection.receive(to: "POST")
            try expectError(response, 413, "too_large")
            #expect(response["X-Request-ID"] == id)
            #expect(try await user.server.logLine(ofRequest: id).contains(" path=/notes status=413 "))
        }
    }
}
