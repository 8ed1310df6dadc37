import Foundation
import Synchronization
import Testing

extension ProcessTests {
    struct ReloadTests {
        private final class Flag: Sendable {
            let isSet = Atomic(false)
        }

        private func settings(pageSize: Int) -> String {
            #"{"pageSize": \#(pageSize), "maximumPageSize": \#(pageSize), "maximumBodyBytes": 10000\#(pageSize)}"#
        }

        private func reload(_ settings: String, _ server: RunningServer) throws {
            try Data(settings.utf8).write(to: RunningServer.settings(in: server.folder), options: .atomic)
            server.run.signal(SIGHUP)
        }

        /// The settings as seen in a response, which has to be consistent.
        private func pageSize(of user: Client) async throws -> Int {
            let list = try await user.list()
            #expect(list.notes.count == list.size)
            return list.size
        }

        @Test(arguments: Wiring.allCases) func reloadFailsNoRequest(wiring: Wiring) async throws {
            try await withServer(wiring, settings: settings(pageSize: 3)) { server in
                let user = try await Client.user(of: server)
                for number in 1...10 { _ = try await user.create(NoteInput("note \(number)")) }
                let isDone = Flag()
                async let sizes = concurrently(6) { number in
                    var sizes: Set<Int> = []
                    while !isDone.isSet.load(ordering: .relaxed) {
                        if number == 0 {
                            let note = try await user.create(NoteInput("while it changes"))
                            #expect(try await user.send("DELETE", "/notes/\(note.id)").status == 204)
                        } else {
                            sizes.insert(try await pageSize(of: user))
                        }
                    }
                    return sizes
                }
                for size in [5, 7, 4, 6, 3, 8] {
                    try reload(settings(pageSize: size), server)
                    #expect(try await eventually { try await pageSize(of: user) == size })
                }
                isDone.isSet.store(true, ordering: .relaxed)
                #expect(try await Set(sizes.joined()).isSubset(of: [3, 4, 5, 6, 7, 8]))
                try expectError(try await user.send("GET", "/notes?size=9"), 400, "invalid_request")
            }
        }

        @Test(arguments: Wiring.allCases) func invalidSettingsAreIgnored(wiring: Wiring) async throws {
            try await withServer(wiring, settings: settings(pageSize: 3)) { server in
                let user = try await Client.user(of: server)
                for number in 1...10 { _ = try await user.create(NoteInput("note \(number)")) }
                func errors() throws -> Int { try server.run.errors().components(separatedBy: " error ").count }
                for (broken, isLogged) in [
                    ("{", false), (#"{"pageSize": 0}"#, true), (#"{"pageSize": "x"}"#, true), ("", false),
                    ("[5]", false),
                ] {
                    let before = try errors()
                    try reload(broken, server)
                    // A file that isn't JSON is only logged at the level `debug`.
                    if isLogged { #expect(try await eventually { try errors() > before }, "\(broken)") }
                    #expect(try await pageSize(of: user) == 3, "\(broken)")
                }
                for _ in 1...50 { server.run.signal(SIGHUP) }
                try reload(settings(pageSize: 4), server)
                #expect(try await eventually { try await pageSize(of: user) == 4 })
            }
        }

        @Test(arguments: Wiring.allCases) func withoutAFileTheSignalIsHarmless(wiring: Wiring) async throws {
            try await withTemporaryFolder { folder in
                let run = try ProgramRun(
                    arguments: ["--database", RunningServer.database(in: folder).path, "--port", "0"]
                        + (wiring == .byHand ? ["--by-hand"] : []), folder: folder)
                #expect(try await eventually { try run.output().contains("\n") || !run.isRunning })
                run.signal(SIGHUP)
                try await Task.sleep(for: .milliseconds(100))
                #expect(run.isRunning)
                run.signal(SIGTERM)
                #expect(try await run.exitStatus() == 0)
            }
        }
    }
}
