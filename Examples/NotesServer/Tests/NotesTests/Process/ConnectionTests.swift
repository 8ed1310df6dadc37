import Foundation
import Testing

extension ProcessTests {
    /// Clients that send requests slowly, that never end them, or that send no HTTP.
    struct ConnectionTests {
        private static let note = #"{"title": "a"}"#

        @Test(arguments: Wiring.allCases) func bodiesAreLimitedBeforeTheyArrive(wiring: Wiring) async throws {
            try await withServer(wiring) { server in
                let user = try await Client.user(of: server)
                for length in ["65537", "10000000", "9223372036854775807"] {
                    let connection = try await RawConnection(to: server.port)
                    // No byte of the body is sent, so the server has to respond immediately.
                    try await connection.send(ProcessTests.head(user, "Content-Length: \(length)\r\n"))
                    let response = try await connection.receiveUntilClosed()
                    #expect(response.hasPrefix("HTTP/1.1 413 ") && response.contains("too_large"), "\(response)")
                }
                let largest = Self.note + String(repeating: " ", count: 65_536 - Self.note.utf8.count)
                let accepted = try await RawConnection(to: server.port)
                try await accepted.send(ProcessTests.head(user, "Content-Length: 65536\r\n") + largest)
                try await accepted.receive("HTTP/1.1 201 ")
                #expect(try await user.list().total == 1)
            }
        }

        @Test(arguments: Wiring.allCases) func endlessBodyIsRefused(wiring: Wiring) async throws {
            try await withServer(wiring) { server in
                let user = try await Client.user(of: server)
                let connection = try await RawConnection(to: server.port)
                try await connection.send(ProcessTests.head(user, "Transfer-Encoding: chunked\r\n"))
                let piece = "2000\r\n" + String(repeating: " ", count: 8_192) + "\r\n"
                // For a moment the server discards further bytes, so that the client can read the response.
                var isCutOff = false
                let limit = ContinuousClock.now + .seconds(60)
                do { while .now < limit { try await connection.send(piece) } } catch { isCutOff = true }
                #expect(isCutOff, "The server reads without an end.")
                #expect(try await user.list().total == 0)
            }
        }

        @Test(arguments: Wiring.allCases) func chunkedAndSlowBodiesAreAccepted(wiring: Wiring) async throws {
            try await withServer(wiring) { server in
                let user = try await Client.user(of: server)
                let chunked = try await RawConnection(to: server.port)
                try await chunked.send(ProcessTests.head(user, "Transfer-Encoding: chunked\r\n"))
                for piece in [#"{"ti"#, #"tle": "in pieces"}"#] {
                    try await chunked.send("\(String(piece.utf8.count, radix: 16))\r\n\(piece)\r\n")
                }
                try await chunked.send("0\r\n\r\n")
                try await chunked.receive("HTTP/1.1 201 ")
                // The connection can still be used, and requests may be pipelined.
                let get = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
                try await chunked.send(get + get)
                #expect(try await eventually { chunked.text.components(separatedBy: "HTTP/1.1 200 ").count == 3 })

                let slow = try await RawConnection(to: server.port)
                for byte in ProcessTests.head(user, "Content-Length: \(Self.note.utf8.count)\r\n") + Self.note {
                    try await slow.send(String(byte))
                }
                try await slow.receive("HTTP/1.1 201 ")
                #expect(try await user.list().total == 2)
            }
        }

        @Test(arguments: Wiring.allCases) func openRequestsDelayNoOtherClient(wiring: Wiring) async throws {
            try await withServer(wiring, settings: #"{"requestSeconds": 100}"#) { server in
                let user = try await Client.user(of: server)
                // These are more clients than processors and than connections to the database.
                var slow: [RawConnection] = []
                for number in 0..<48 {
                    let connection = try await RawConnection(to: server.port)
                    let head = ProcessTests.head(user, "Content-Length: \(Self.note.utf8.count)\r\n")
                    try await connection.send(number.isMultiple(of: 2) ? head : head + Self.note.dropLast())
                    slow.append(connection)
                }
                for number in 1...20 {
                    let note = try await user.create(NoteInput("quick \(number)"))
                    #expect(try await user.read(note.id) == note)
                }
                #expect(slow.allSatisfy { $0.text.isEmpty && !$0.isClosed }, "Their requests are still open.")
                for (number, connection) in slow.enumerated() {
                    try await connection.send(number.isMultiple(of: 2) ? Self.note : "}")
                    try await connection.receive("HTTP/1.1 201 ")
                }
                #expect(try await user.list("?size=100").total == 68)
            }
        }

        @Test(arguments: Wiring.allCases) func slowRequestsTimeOut(wiring: Wiring) async throws {
            try await withServer(wiring, settings: #"{"requestSeconds": 2}"#) { server in
                let user = try await Client.user(of: server)
                let request = ProcessTests.head(user, "Content-Length: 2000\r\n") + Self.note
                // One client sends nothing, two stop in the middle, and two continue byte by byte.
                let responses = try await concurrently(5) { number in
                    let connection = try await RawConnection(to: server.port)
                    let beginnings = ["", String(request.prefix(40)), request, String(request.prefix(40)), request]
                    try await connection.send(beginnings[number])
                    for _ in 0..<(number > 2 ? 600 : 0) where !connection.isClosed {
                        try? await connection.send("a")
                        try await Task.sleep(for: .milliseconds(100))
                    }
                    return try await connection.receiveUntilClosed()
                }
                for response in responses { #expect(response.isEmpty || response.hasPrefix("HTTP/1.1 408 ")) }
                #expect(responses.contains { $0.contains(#""code":"timeout""#) })
                #expect(try await user.list().total == 0)
                #expect(try server.run.errors().contains("status=408"))
            }
        }
    }
}
