import Foundation
import Testing

extension SocketTests {
    struct MalformedTests {
        private static var refusal: Regex<Substring> { #/^HTTP/1\.[01] [45]\d\d /# }

        @Test(arguments: Wiring.allCases) func invalidHTTPIsHarmless(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let token = try #require(user.token)
            let head =
                "POST /notes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n"
                + "Content-Type: application/json\r\n"
            let body = #"{"title": "smuggled"}"#
            let inputs = [
                "\r\n\r\n\r\n", "hello\r\n\r\n", "GET\r\n\r\n", "GET /notes\r\n\r\n", "GET  HTTP/1.1\r\n\r\n",
                "GET / HTTP/9.9\r\nHost: x\r\n\r\n", "GET notes HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET / HTTP/1.1\r\n: no name\r\n\r\n",
                "\u{0}\u{1}\u{2}\u{3}\r\n\r\n",
                "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}", head + "Content-Length: -1\r\n\r\n" + body,
                head + "Content-Length: x\r\n\r\n" + body, head + "Content-Length: 99999999999999999999\r\n\r\n" + body,
                head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n" + body,
                head + "Transfer-Encoding: chunked\r\n\r\n-5\r\n" + body,
                head + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n" + body,
                "GET /\(String(repeating: "a", count: 200_000)) HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nX-Long: \(String(repeating: "a", count: 200_000))\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\n" + String(repeating: "X-Many: a\r\n", count: 20_000) + "\r\n",
            ]
            for input in inputs {
                let connection = try Connection(to: user.server.port)
                let beginning = String(input.prefix(60))
                do {
                    try await connection.send(input)
                    // The client ends its request, so the server has no reason to wait.
                    connection.finishSending()
                    let output = String(decoding: try await connection.receiveUntilClosed(), as: UTF8.self)
                    // Two of these inputs are similar enough to HTTP to get the page.
                    let isRefusal = output.isEmpty || output.firstMatch(of: Self.refusal) != nil
                    #expect(isRefusal || input.hasPrefix("GET / "), "\(beginning): \(output.prefix(200))")
                } catch Connection.Failure.closed {
                    // The server may close the connection before the end of the input.
                }
            }
            #expect(try await user.list().total == 0)
        }

        @Test(arguments: Wiring.allCases) func unfinishedRequestHasNoEffect(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let bytes = try user.request("POST", "/notes", NoteInput("left in the middle")).bytes
            for length in [10, bytes.count - 10, bytes.count - 1] {
                let connection = try Connection(to: user.server.port)
                try await connection.send(Array(bytes.prefix(length)))
                connection.finishSending()
                let output = try await connection.receiveUntilClosed()
                #expect(!String(decoding: output, as: UTF8.self).contains(" 201 "))
            }
            #expect(try await user.list().total == 0)
        }

        @Test(arguments: Wiring.allCases) func requestsMayBePipelined(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let notes = try await concurrently(3) { try await user.create(NoteInput("note \($0)")) }
            let connection = try Connection(to: user.server.port)
            try await connection.send(notes.flatMap { user.request("GET", "/notes/\($0.id)").bytes })
            for note in notes {
                let response = try await connection.receive()
                #expect(response.status == 200)
                #expect(try response.decoded(as: Note.self) == note)
            }
        }

        @Test(arguments: Wiring.allCases) func requestsMayArriveByteByByte(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let connection = try Connection(to: user.server.port)
            connection.sendWithoutDelay()
            for byte in try user.request("POST", "/notes", NoteInput("slow")).bytes {
                try await connection.send([byte])
            }
            #expect(try await connection.receive(to: "POST").status == 201)
            #expect(try await user.list().titles == ["slow"])
        }

        @Test(arguments: Wiring.allCases) func bodiesMayBeChunked(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let connection = try Connection(to: user.server.port)
            let headers = [("Content-Type", "application/json"), ("Transfer-Encoding", "chunked")]
            try await connection.send(user.request("POST", "/notes", headers: headers).bytes)
            for piece in [#"{"ti"#, #"tle": "#, #""in pieces"}"#] { try await connection.send(chunk(piece)) }
            try await connection.send("0\r\n\r\n")
            #expect(try await connection.receive(to: "POST").status == 201)
            // The connection can still be used.
            try await connection.send(user.request("GET", "/notes").bytes)
            #expect(try await connection.receive().decoded(as: NoteList.self).titles == ["in pieces"])
        }
    }
}

/// A piece of a chunked body.
func chunk(_ text: String) -> String { "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n" }
