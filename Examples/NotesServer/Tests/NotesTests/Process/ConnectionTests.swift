import InMemoryLogging
import HummingbirdTesting
import Logging
import HTTPTypes
import Testing

/// Clients that send requests slowly, that never end them, or that send no HTTP.
@Suite(.timeLimit(.minutes(5))) struct ConnectionTests {
    private static let note = #"{"title": "a"}"#

    @Test(arguments: Wiring.allCases) func bodiesAreLimitedBeforeTheyArrive(wiring: Wiring) async throws {
        try await withTestServer(wiring, .ahc(.http), settings: patientSettings) { server in
            let user = try await server.user()
            for length in ["65537", "10000000", "9223372036854775807"] {
                let connection = try await RawConnection(to: server.port)
                // No byte of the body is sent, so the server has to respond immediately.
                try await connection.sendHead(user, "Content-Length: \(length)")
                let response = try await connection.receiveUntilClosed()
                #expect(response.hasPrefix("HTTP/1.1 413 ") && response.contains("content_too_large"), "\(response)")
            }
            let largest = Self.note + String(repeating: " ", count: 65_536 - Self.note.utf8.count)
            let accepted = try await RawConnection(to: server.port)
            try await accepted.sendHead(user, "Content-Length: 65536")
            try await accepted.send(largest)
            try await accepted.receive("HTTP/1.1 201 ")
            #expect(try await user.list().total == 1)
        }
    }

    @Test(arguments: Wiring.allCases) func endlessBodyIsRefused(wiring: Wiring) async throws {
        try await withTestServer(wiring, .ahc(.http), settings: patientSettings) { server in
            let user = try await server.user()
            let connection = try await RawConnection(to: server.port)
            try await connection.sendHead(user, "Transfer-Encoding: chunked")
            let piece = "2000\r\n" + String(repeating: " ", count: 8_192) + "\r\n"
            // For a moment the server discards further bytes, so that the client can read the response.
            var isCutOff = false
            let limit = ContinuousClock.now + .seconds(60)
            do { while .now < limit { try await connection.send(piece) } } catch { isCutOff = true }
            #expect(isCutOff, "The server reads without an end.")
            #expect(try await user.list().total == 0)
        }
    }

    @Test(arguments: Wiring.allCases) func openRequestsDelayNoOtherClient(wiring: Wiring) async throws {
        try await withTestServer(wiring, .ahc(.http), settings: patientSettings) { server in
            let user = try await server.user()
            // These are more clients than processors and than connections to the database. Half of them send chunks.
            let parts = [
                ("Content-Length: \(Self.note.utf8.count)", [String(Self.note.dropLast()), "}"]),
                ("Transfer-Encoding: chunked", ["d\r\n\(Self.note.dropLast())\r\n", "1\r\n}\r\n0\r\n\r\n"]),
            ]
            var slow: [RawConnection] = []
            for number in 0..<48 {
                let connection = try await RawConnection(to: server.port)
                try await connection.sendHead(user, parts[number % 2].0)
                try await connection.send(parts[number % 2].1[0])
                slow.append(connection)
            }
            for number in 1...20 {
                let note = try await user.create(NoteInput("quick \(number)"))
                #expect(try await user.read(note.id) == note)
            }
            #expect(slow.allSatisfy { $0.text.isEmpty && !$0.isClosed }, "Their requests are still open.")
            for (number, connection) in slow.enumerated() {
                for byte in parts[number % 2].1[1] { try await connection.send(String(byte)) }
                try await connection.receive("HTTP/1.1 201 ")
            }
            #expect(try await user.list("?size=100").total == 68)
        }
    }

    @Test(arguments: Wiring.allCases) func slowRequestsTimeOut(wiring: Wiring) async throws {
        try await withTestServer(wiring, .ahc(.http), settings: #"{"requestSeconds": 2}"#) { server in
            let user = try await server.user()
            // One client sends nothing, two stop in the middle, and two continue byte by byte.
            let responses = try await concurrently(5) { number in
                let connection = try await RawConnection(to: server.port)
                switch number {
                case 1, 3: try await connection.send("POST /notes HTTP/1.1\r\nHost: ")
                case 2, 4: try await connection.sendHead(user, "Content-Length: 2000")
                default: break
                }
                for _ in 0..<(number > 2 ? 600 : 0) where !connection.isClosed {
                    try? await connection.send("a")
                    try await Task.sleep(for: .milliseconds(100))
                }
                return try await connection.receiveUntilClosed()
            }
            for response in responses { #expect(response.isEmpty || response.hasPrefix("HTTP/1.1 408 ")) }
            #expect(responses.contains { $0.contains(#""code":"request_timeout""#) })
            #expect(try await user.list().total == 0)
            #expect(server.log.entries.contains { $0.metadata["status"] == "408" })
        }
    }

    // One after the other, because each of them starts a server.
    @Test(
        .serialized, arguments: Wiring.allCases,
        [
            "hello\r\n\r\n", "GET / HTTP/9.9.9\r\n\r\n", "GET / FTP/1.1\r\nHost: x\r\n\r\n",
            "\u{16}\u{3}\u{1}\0\0\r\n\r\n",
            "GET / HTTP/1.1\r\nno field\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nA\0B: c\r\n\r\n",
            "POST /notes HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
            "POST /notes HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
            "POST /notes HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
            "GET /\(String(repeating: "a", count: 200_000)) HTTP/1.1\r\n\r\n",
        ])
    func invalidHTTPIsRefused(wiring: Wiring, request: String) async throws {
        try await withTestServer(wiring, .ahc(.http), settings: patientSettings) { server in
            let connection = try await RawConnection(to: server.port)
            try? await connection.send(request)
            let response = try await connection.receiveUntilClosed()
            #expect(response.isEmpty || response.hasPrefix("HTTP/1.1 400 "), "\(response)")
            #expect(try await server.anonymous.send(.get, "/health").status == .ok)
        }
    }
}
