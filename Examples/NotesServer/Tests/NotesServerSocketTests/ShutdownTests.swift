import Foundation
import Testing

extension SocketTests {
    struct ShutdownTests {
        @Test(arguments: Wiring.allCases, [SIGTERM, SIGINT])
        func idleServerStops(wiring: Wiring, signal: Int32) async throws {
            try await withServer(wiring) { server in
                let user = try await Client.user(of: server)
                _ = try await user.create(NoteInput("a"))
                let idle = try Connection(to: server.port)
                try await idle.send(user.request("GET", "/notes").bytes)
                #expect(try await idle.receive().status == 200)
                server.run.signal(signal)
                #expect(await server.run.exitStatus() == 0)
                #expect(try await idle.receiveUntilClosed().isEmpty)
                #expect(throws: Connection.Failure.system(ECONNREFUSED)) { try Connection(to: server.port) }
            }
        }

        @Test(arguments: Wiring.allCases) func openRequestsAreAnswered(wiring: Wiring) async throws {
            try await withTemporaryFolder { folder in
                var token = ""
                try await withServer(wiring, folder: folder) { server in
                    let user = try await Client.user(of: server)
                    token = try #require(user.token)
                    var writers: [(connection: Connection, body: [UInt8])] = []
                    for number in 1...8 {
                        let body = try NoteInput("note \(number)").json
                        writers.append((try await user.beginCreating(body), body))
                    }
                    server.run.signal(SIGTERM)
                    server.run.signal(SIGTERM)
                    #expect(try await eventually { try refusesConnections(server) })
                    #expect(server.run.isRunning)

                    for (connection, body) in writers {
                        try await connection.send(body)
                        let response = try await connection.receive(to: "POST")
                        #expect(response.status == 201, "\(response.text)")
                    }
                    #expect(await server.run.exitStatus() == 0)
                }
                try await withServer(wiring, folder: folder) { server in
                    let list = try await Client(server: server, token: token).list()
                    #expect(Set(list.titles) == Set((1...8).map { "note \($0)" }))
                }
            }
        }

        @Test(arguments: Wiring.allCases) func lateRequestsAreHarmless(wiring: Wiring) async throws {
            for _ in 1...5 {
                try await withServer(wiring) { server in
                    let user = try await Client.user(of: server)
                    let connections = try (1...100).map { _ in try Connection(to: server.port) }
                    server.run.signal(SIGTERM)
                    for connection in connections {
                        do {
                            try await connection.send(user.request("GET", "/notes").bytes)
                        } catch Connection.Failure.closed { break }
                    }
                    for connection in connections {
                        let output = try await connection.receiveUntilClosed()
                        // Either the whole response arrived, or nothing.
                        guard let (response, count) = try Response.parse(output, answering: "GET", isComplete: true)
                        else {
                            #expect(output.isEmpty)
                            continue
                        }
                        #expect(response.status == 200)
                        #expect(count == output.count)
                    }
                    #expect(await server.run.exitStatus() == 0)
                }
            }
        }

        @Test(arguments: Wiring.allCases) func acknowledgedNotesAreStored(wiring: Wiring) async throws {
            try await withTemporaryFolder { folder in
                var token = ""
                let acknowledged = Locked<[Note]>([])
                try await withServer(wiring, folder: folder) { server in
                    let user = try await Client.user(of: server)
                    token = try #require(user.token)
                    async let writing: [Void] = concurrently(8) { writer in
                        for number in 1...10_000 {
                            let response: Response
                            do {
                                response = try await user.send("POST", "/notes", NoteInput("\(writer) \(number)"))
                            } catch let failure as Connection.Failure {
                                // The server has stopped listening, or didn't read the request.
                                if case .closed(let received) = failure { #expect(received.isEmpty) }
                                #expect(failure != .silence)
                                return
                            }
                            #expect(response.status == 201, "\(response.text)")
                            let note = try response.decoded(as: Note.self)
                            acknowledged.change { $0.append(note) }
                        }
                    }
                    #expect(try await eventually { acknowledged.value.count > 100 })
                    server.run.signal(SIGTERM)
                    #expect(await server.run.exitStatus() == 0)
                    _ = try await writing
                }
                try await withServer(wiring, folder: folder) { server in
                    let user = Client(server: server, token: token)
                    let total = try await user.list("?size=1").total
                    var stored: [Note] = []
                    for page in 1...(total / 100 + 1) { stored += try await user.list("?size=100&page=\(page)").notes }
                    let expected = acknowledged.value.sorted { $0.id < $1.id }
                    #expect(stored.sorted { $0.id < $1.id } == expected, "Each request was answered.")
                }
            }
        }

        @Test(arguments: Wiring.allCases) func notesSurviveARestart(wiring: Wiring) async throws {
            try await withTemporaryFolder { folder in
                let (token, notes, newest) = try await withServer(wiring, folder: folder) { server in
                    let user = try await Client.user(of: server)
                    for number in 1...5 { _ = try await user.create(NoteInput("note \(number)", body: "*text*")) }
                    let first = try await user.list("?size=1&page=5").notes[0]
                    let update = try await user.send(
                        "PUT", "/notes/\(first.id)", NoteInput("changed", tags: ["a"]),
                        headers: [("If-Match", "\"1\"")])
                    #expect(update.status == 200)
                    let newest = try await user.create(NoteInput("deleted")).id
                    #expect(try await user.send("DELETE", "/notes/\(newest)").status == 204)
                    return (user.token, try await user.list(), newest)
                }
                // The other wiring has to read the same file.
                for wiring in Wiring.allCases {
                    try await withServer(wiring, folder: folder) { server in
                        let user = Client(server: server, token: token)
                        #expect(try await user.list() == notes)
                        #expect(try await user.search("chang").total == 1)
                        let update = try await user.send(
                            "PUT", "/notes/\(notes.notes[0].id)", NoteInput("late"), headers: [("If-Match", "\"1\"")])
                        try expectError(update, 412, "precondition_failed")
                    }
                }
                try await withServer(wiring, folder: folder) { server in
                    let note = try await Client(server: server, token: token).create(NoteInput("new"))
                    // Numbers aren't reused. Otherwise an old link would lead to another note.
                    #expect(note.id > newest)
                }
            }
        }

        private func refusesConnections(_ server: RunningServer) throws -> Bool {
            do {
                _ = try Connection(to: server.port)
                return false
            } catch Connection.Failure.system(ECONNREFUSED) {
                return true
            }
        }
    }
}
