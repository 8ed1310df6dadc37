import Foundation
import Testing

extension ProcessTests {
    struct ShutdownTests {
        @Test(arguments: Wiring.allCases, [SIGTERM, SIGINT])
        func idleServerStops(wiring: Wiring, signal: Int32) async throws {
            try await withServer(wiring) { server in
                let user = try await Client.user(of: server)
                _ = try await user.create(NoteInput("a"))
                let idle = try await RawConnection(to: server.port)
                try await idle.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
                try await idle.receive("HTTP/1.1 200 ")
                server.run.signal(signal)
                #expect(try await server.run.exitStatus() == 0)
                _ = try await idle.receiveUntilClosed()
                await #expect(throws: (any Error).self) { try await RawConnection(to: server.port) }
            }
        }

        @Test(arguments: Wiring.allCases) func openRequestsAreAnswered(wiring: Wiring) async throws {
            try await withTemporaryFolder { folder in
                var token: String?
                try await withServer(wiring, settings: #"{"requestSeconds": 100}"#, folder: folder) { server in
                    let user = try await Client.user(of: server)
                    token = user.token
                    var writers: [RawConnection] = []
                    for number in 1...8 {
                        let writer = try await RawConnection(to: server.port)
                        let body = #"{"title": "note \#(number)"}"#
                        try await writer.send(ProcessTests.head(user, "Content-Length: \(body.utf8.count)\r\n"))
                        try await writer.send(String(body.dropLast()))
                        writers.append(writer)
                    }
                    // An answer to a later request shows that these have arrived.
                    _ = try await user.list()
                    try await Task.sleep(for: .milliseconds(300))
                    server.run.signal(SIGTERM)
                    let refuses = try await eventually { (try? await RawConnection(to: server.port)) == nil }
                    #expect(refuses && server.run.isRunning)
                    for writer in writers {
                        try await writer.send("}")
                        try await writer.receive("HTTP/1.1 201 ")
                    }
                    #expect(try await server.run.exitStatus() == 0)
                }
                try await withServer(wiring, folder: folder) { server in
                    let titles = try await Client(server: server, token: token).list().titles
                    #expect(Set(titles) == Set((1...8).map { "note \($0)" }))
                }
            }
        }

        @Test(arguments: Wiring.allCases) func noAcknowledgedNoteIsLost(wiring: Wiring) async throws {
            try await withTemporaryFolder { folder in
                let (token, acknowledged) = try await withServer(wiring, folder: folder) { server in
                    let user = try await Client.user(of: server)
                    async let writing = concurrently(6) { number in
                        var notes: [Note] = []
                        // Requests fail after the server has stopped listening.
                        while let note = try? await user.create(NoteInput("note \(number)-\(notes.count)")) {
                            notes.append(note)
                        }
                        return notes
                    }
                    #expect(try await eventually { try await user.list("?size=1").total > 50 })
                    server.run.signal(SIGTERM)
                    #expect(try await server.run.exitStatus() == 0)
                    return (user.token, try await writing.flatMap { $0 })
                }
                // The other wiring has to read the same file.
                for wiring in Wiring.allCases {
                    try await withServer(wiring, folder: folder) { server in
                        let user = Client(server: server, token: token)
                        let total = try await user.list("?size=1").total
                        var stored: [Note] = []
                        for page in 1...(total / 100 + 1) {
                            stored += try await user.list("?size=100&page=\(page)").notes
                        }
                        #expect(stored.sorted { $0.id < $1.id } == acknowledged.sorted { $0.id < $1.id })
                    }
                }
            }
        }
    }
}
