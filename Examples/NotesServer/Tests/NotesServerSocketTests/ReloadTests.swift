import Foundation
import Testing

extension SocketTests {
    struct ReloadTests {
        private func configuration(pageSize: Int) -> String {
            #"{"pageSize": \#(pageSize), "maximumPageSize": \#(pageSize)}"#
        }

        private func write(_ configuration: String, for server: RunningServer) throws {
            try configuration.write(
                to: RunningServer.configurationFile(in: server.folder), atomically: true, encoding: .utf8)
        }

        /// The configuration as seen in the responses. Each response has to be consistent.
        private func pageSize(of user: Client) async throws -> Int {
            let list = try await user.list()
            #expect(list.notes.count == list.size)
            return list.size
        }

        @Test(arguments: Wiring.allCases) func reloadFailsNoRequest(wiring: Wiring) async throws {
            try await withServer(wiring, configuration: configuration(pageSize: 3)) { server in
                let user = try await Client.user(of: server)
                for number in 1...10 { _ = try await user.create(NoteInput("note \(number)")) }

                let isDone = Locked(false)
                async let sizes = concurrently(6) { number in
                    var sizes: Set<Int> = []
                    var count = 0
                    while !isDone.value {
                        if number == 0 {
                            let note = try await user.create(NoteInput("while it changes"))
                            #expect(try await user.send("DELETE", "/notes/\(note.id)").status == 204)
                        } else {
                            sizes.insert(try await pageSize(of: user))
                        }
                        count += 1
                    }
                    #expect(count > 0)
                    return sizes
                }
                for size in [5, 7, 4, 6, 3, 8] {
                    try write(configuration(pageSize: size), for: server)
                    server.run.signal(SIGHUP)
                    #expect(try await eventually { try await pageSize(of: user) == size })
                }
                isDone.change { $0 = true }
                let seen = Set(try await sizes.flatMap { $0 })
                #expect(seen.isSubset(of: [3, 4, 5, 6, 7, 8]))
                try expectError(try await user.send("GET", "/notes?size=9"), 400, "invalid_request")
                #expect(try await user.list("?size=8").size == 8)
            }
        }

        @Test(arguments: Wiring.allCases) func requestUsesOneConfiguration(wiring: Wiring) async throws {
            try await withServer(wiring, configuration: #"{"maximumBodyBytes": 1000}"#) { server in
                let user = try await Client.user(of: server)
                let body = try NoteInput("note", body: String(repeating: "a", count: 500)).json
                let connection = try await user.beginCreating(body)
                try write(#"{"maximumBodyBytes": 100}"#, for: server)
                server.run.signal(SIGHUP)
                let larger = NoteInput(String(repeating: "b", count: 150))
                #expect(try await eventually { try await user.send("POST", "/notes", larger).status == 413 })
                try await connection.send(body)
                #expect(try await connection.receive(to: "POST").status == 201)
            }
        }

        @Test(arguments: Wiring.allCases) func invalidConfigurationIsIgnored(wiring: Wiring) async throws {
            try await withServer(wiring, configuration: configuration(pageSize: 3)) { server in
                let user = try await Client.user(of: server)
                for number in 1...10 { _ = try await user.create(NoteInput("note \(number)")) }
                let broken = ["{", #"{"pageSize": 0}"#, #"{"pageSizes": 5}"#, #"{"pageSize": "5"}"#, "", "[5]"]
                for (index, text) in broken.enumerated() {
                    try write(text, for: server)
                    server.run.signal(SIGHUP)
                    let isLogged = try await eventually {
                        try server.log().count { $0.hasPrefix("configuration ") } == index + 1
                    }
                    #expect(isLogged, "\(text)")
                    #expect(try await pageSize(of: user) == 3, "\(text)")
                }
                try FileManager.default.removeItem(at: RunningServer.configurationFile(in: server.folder))
                server.run.signal(SIGHUP)
                let count = broken.count + 1
                #expect(try await eventually { try server.log().count { $0.hasPrefix("configuration ") } == count })
                #expect(try await pageSize(of: user) == 3)

                try write(configuration(pageSize: 4), for: server)
                server.run.signal(SIGHUP)
                #expect(try await eventually { try await pageSize(of: user) == 4 })
            }
        }

        @Test(arguments: Wiring.allCases) func manySignalsAreHarmless(wiring: Wiring) async throws {
            try await withServer(wiring, configuration: configuration(pageSize: 3)) { server in
                let user = try await Client.user(of: server)
                for number in 1...10 { _ = try await user.create(NoteInput("note \(number)")) }
                for _ in 1...50 {
                    server.run.signal(SIGHUP)
                    #expect(try await pageSize(of: user) == 3)
                }
            }
        }
    }
}
