import Foundation
import Testing

extension SocketTests {
    struct SlowClientTests {
        @Test(arguments: Wiring.allCases) func otherClientsAreNotDelayed(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let bytes = try user.request("POST", "/notes", NoteInput("slow")).bytes
            // These are more clients than processors and than connections to the database.
            var slow: [(connection: Connection, rest: [UInt8])] = []
            for number in 0..<48 {
                let connection = try Connection(to: user.server.port)
                let count = number.isMultiple(of: 2) ? 20 : bytes.count - 5
                try await connection.send(Array(bytes.prefix(count)))
                slow.append((connection, Array(bytes.dropFirst(count))))
            }

            for number in 1...20 {
                let note = try await user.create(NoteInput("quick \(number)"))
                #expect(try await user.read(note.id) == note)
            }
            #expect(try await user.list("?size=100").total == 20)
            #expect(!slow.contains { $0.connection.hasInput() }, "Their requests are still open.")

            for (connection, rest) in slow {
                try await connection.send(rest)
                #expect(try await connection.receive(to: "POST").status == 201)
            }
            #expect(try await user.list("?size=100").total == 68)
        }

        @Test(arguments: Wiring.allCases) func slowRequestsTimeOut(wiring: Wiring) async throws {
            try await withServer(wiring, configuration: #"{"requestSeconds": 2}"#) { server in
                let user = try await Client.user(of: server)
                let bytes = try user.request(
                    "POST", "/notes", NoteInput("slow", body: String(repeating: "a", count: 2_000))
                ).bytes
                // One client sends nothing, two stop in the middle, and two continue byte by byte.
                let responses = try await concurrently(5) { number in
                    let connection = try Connection(to: server.port)
                    let start = [0, 20, bytes.count - 1_000, 20, bytes.count - 1_000][number]
                    try await connection.send(Array(bytes.prefix(start)))
                    guard number > 2 else { return try await connection.receiveUntilClosed() }
                    do {
                        for byte in bytes[start..<(start + 400)] {
                            try await connection.send([byte])
                            try await Task.sleep(for: .milliseconds(100))
                        }
                        Issue.record("The server has listened for more than half a minute.")
                    } catch Connection.Failure.closed {}
                    return try await connection.receiveUntilClosed()
                }
                for response in responses {
                    let text = String(decoding: response, as: UTF8.self)
                    #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 408 "), "\(text)")
                }
                #expect(try await user.list().total == 0)
            }
        }
    }
}
