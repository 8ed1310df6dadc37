import HummingbirdTesting
import HTTPTypes
import Foundation
import Testing

/// Tests of the built program as a process, one after the other.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ProcessTests {
    // MARK: Arguments

    @Test(arguments: [
        [], ["--database"], ["--unknown"], ["notes.sqlite"], ["--database", "a", "--port", "x"], ["--by-hand"],
        ["--database", "a", "--port", "65536"], ["--database", "a", "--add-user"], ["--add-user", "ada"],
        ["--graph", "png"], ["--database", "a", "more"],
    ])
    func wrongArgumentsAreRefused(arguments: [String]) async throws {
        let (status, output, errors) = try await outcome(of: arguments)
        #expect(status == 64 && output.isEmpty)
        // The usage is part of the error.
        for option in ["database", "host", "port", "configuration", "by-hand", "add-user", "new-token", "graph"] {
            #expect(errors.contains("--\(option)"), "\(errors)")
        }
    }

    @Test(arguments: [("mermaid", "graph|flowchart"), ("dot", "digraph"), ("text", "")])
    func graphIsPrinted(format: String, beginning: String) async throws {
        let (status, output, _) = try await outcome(of: ["--graph", format])
        #expect(status == 0 && output.split(separator: "\n").count > 5)
        #expect(output.firstMatch(of: try Regex("^(\(beginning))")) != nil, "\(output.prefix(80))")
    }

    @Test func usersAreAddedOnceAndGetNewTokens() async throws {
        try await withTemporaryFolder { folder in
            let database = ["--database", folder.appending(path: "notes.sqlite").path]
            var tokens: Set<String> = []
            for arguments in [["--add-user", "ada"], ["--add-user", "eve"], ["--new-token", "ada"]] {
                let (status, output, _) = try await outcome(of: database + arguments)
                #expect(status == 0 && output.wholeMatch(of: /[A-Za-z0-9_-]{43}\n/) != nil, "\(output)")
                tokens.insert(output)
            }
            #expect(tokens.count == 3)
            for arguments in [["--add-user", "ada"], ["--new-token", "grace"], ["--add-user", "two words"]] {
                let (status, output, errors) = try await outcome(of: database + arguments)
                #expect(status == 1 && output.isEmpty && errors.contains(arguments[1]))
            }
        }
    }

    @Test(arguments: Wiring.allCases) func failedStartIsAnError(wiring: Wiring) async throws {
        try await withTemporaryFolder { folder in
            func path(_ name: String, _ content: String? = nil) throws -> String {
                let file = folder.appending(path: name)
                if let content { try Data(content.utf8).write(to: file) }
                return file.path
            }
            let text = String(repeating: "This is no database. ", count: 500)
            let (database, broken) = (try path("other.sqlite"), try path("broken.json", #"{"pageSize": 0}"#))
            try await withServer(wiring, folder: folder) { other in
                for arguments in [
                    [folder.path], [try path("text.sqlite", text)], [try path("missing/notes.sqlite")],
                    [database, "--configuration", try path("missing.json")], [database, "--configuration", broken],
                    [database, "--host", "999.0.0.1"], [database, "--port", "\(other.port)"],
                ] {
                    let port = arguments.contains("--port") ? [] : ["--port", "0"]
                    let byHand = wiring == .byHand ? ["--by-hand"] : []
                    let (status, output, errors) = try await outcome(of: ["--database"] + arguments + port + byHand)
                    #expect(status == 1 && output.isEmpty, "\(arguments) \(output)")
                    #expect(!errors.isEmpty && !errors.contains("Fatal error"), "\(errors)")
                }
            }
            #expect(try String(contentsOfFile: path("text.sqlite"), encoding: .utf8) == text)
        }
    }

    /// Runs the program to its end.
    private func outcome(of arguments: [String]) async throws -> (status: Int32, output: String, errors: String) {
        try await withTemporaryFolder { folder in
            let run = try ProgramRun(arguments, folder: folder)
            return (try await run.exitStatus(), run.output, run.errors)
        }
    }

    // MARK: SIGTERM and SIGINT

    @Test(arguments: Wiring.allCases, [SIGTERM, SIGINT])
    func idleServerStops(wiring: Wiring, signal: Int32) async throws {
        try await withServer(wiring) { server in
            // Without a file of settings, this has no effect.
            server.run.signal(SIGHUP)
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
        try await withServer(wiring, settings: patientSettings) { server in
            let user = try await server.user()
            var writers: [RawConnection] = []
            for _ in 1...8 {
                let writer = try await RawConnection(to: server.port)
                try await writer.sendHead(user, "Content-Length: 14")
                try await writer.send(#"{"title": "a""#)
                writers.append(writer)
            }
            // Answers to later requests show that these have arrived.
            for _ in 0..<20 { _ = try await user.list() }
            server.run.signal(SIGTERM)
            let refuses = try await eventually { (try? await RawConnection(to: server.port)) == nil }
            #expect(refuses && server.run.isRunning)
            for writer in writers {
                try await writer.send("}")
                try await writer.receive("HTTP/1.1 201 ")
            }
        }
    }

    @Test(arguments: Wiring.allCases) func noAcknowledgedNoteIsLost(wiring: Wiring) async throws {
        try await withTemporaryFolder { folder in
            let (token, acknowledged) = try await withServer(
                wiring, settings: patientSettings, folder: folder
            ) { server in
                let user = try await server.user()
                async let writing = concurrently(6) { number in
                    var notes: [Note] = []
                    // Requests fail after the server has stopped listening.
                    while let note = try? await user.create(NoteInput("by \(number)")) { notes.append(note) }
                    return notes
                }
                #expect(try await eventually { try await user.list("?size=1").total > 50 })
                server.run.signal(SIGTERM)
                #expect(try await server.run.exitStatus() == 0)
                return (user.token, try await writing.flatMap { $0 })
            }
            // The other wiring has to read the same file.
            for wiring in Wiring.allCases {
                try await withServer(wiring, settings: patientSettings, folder: folder) { server in
                    let user = Client(port: server.port, token: token)
                    for note in acknowledged { #expect(try await user.read(note.id) == note) }
                    let total = try await user.list("?size=1").total
                    #expect(total == acknowledged.count)
                }
            }
        }
    }

    // MARK: SIGHUP

    private func settings(pageSize: Int) -> String {
        #"{"pageSize": \#(pageSize), "maximumPageSize": \#(pageSize), "maximumBodyBytes": 10000\#(pageSize), "#
            + #""requestSeconds": 3600}"#
    }

    private func reload(_ settings: String, _ server: RunningServer) throws {
        try Data(settings.utf8).write(to: server.folder.appending(path: "settings.json"), options: .atomic)
        server.run.signal(SIGHUP)
    }

    @Test(arguments: Wiring.allCases) func reloadFailsNoRequest(wiring: Wiring) async throws {
        try await withServer(wiring, settings: settings(pageSize: 3)) { server in
            let user = try await server.user()
            for number in 1...10 { _ = try await user.create(NoteInput("note \(number)")) }
            async let sizes = concurrently(6) { number in
                var sizes: Set<Int> = []
                // The last settings end the clients.
                while !sizes.contains(8) {
                    if number == 0 { _ = try await user.create(NoteInput("while it changes")) }
                    let list = try await user.list()
                    // The settings in a response have to be consistent.
                    #expect(list.notes.count == list.size)
                    sizes.insert(list.size)
                }
                return sizes
            }
            for size in [5, 7, 4, 6, 3, 8] {
                try reload(settings(pageSize: size), server)
                #expect(try await eventually { try await user.list().size == size })
            }
            #expect(try await Set(sizes.joined()).isSubset(of: 3...8))
            #expect(try await user.send(.get, "/notes?size=9").status == .badRequest)
        }
    }

    @Test(arguments: Wiring.allCases) func invalidSettingsAreIgnored(wiring: Wiring) async throws {
        try await withServer(wiring, settings: settings(pageSize: 3)) { server in
            let user = try await server.user()
            func errors() -> Int { server.run.errors.components(separatedBy: " error ").count }
            // A file that isn't JSON is only logged at the level `debug`.
            for (broken, isLogged) in [
                ("{", false), (#"{"pageSize": 0}"#, true), (#"{"pageSize": "x"}"#, true), ("", false),
                ("[5]", false),
            ] {
                let before = errors()
                try reload(broken, server)
                if isLogged { #expect(try await eventually { errors() > before }, "\(broken)") }
                #expect(try await user.list().size == 3, "\(broken)")
            }
            for _ in 1...50 { server.run.signal(SIGHUP) }
            try reload(settings(pageSize: 4), server)
            #expect(try await eventually { try await user.list().size == 4 })
        }
    }
}
