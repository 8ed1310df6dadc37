import Foundation
import Testing

extension SocketTests {
    struct CommandLineTests {
        @Test func helpIsPrinted() async throws {
            let outcome = try await ServerProgram.run(["--help"])
            #expect(outcome.exitStatus == 0)
            for option in ["--database", "--host", "--port", "--configuration", "--by-hand", "--add-user", "--graph"] {
                #expect(outcome.output.contains(option), "\(option)")
            }
            #expect(outcome.errors.isEmpty)
        }

        @Test(arguments: [
            [], ["--database"], ["--unknown"], ["notes.sqlite"], ["--database", "a", "--port"],
            ["--database", "a", "--port", "x"], ["--database", "a", "--port", "-1"],
            ["--database", "a", "--port", "65536"], ["--database", "a", "--configuration"],
            ["--database", "a", "--add-user"], ["--add-user", "ada"], ["--graph"], ["--graph", "png"],
            ["--port", "8080"], ["--by-hand"], ["--database", "a", "more"],
        ])
        func wrongArgumentsAreRefused(arguments: [String]) async throws {
            let outcome = try await ServerProgram.run(arguments)
            #expect(outcome.exitStatus == 64)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("--database"), "The usage is part of it: \(outcome.errors)")
        }

        @Test(arguments: [("mermaid", "graph|flowchart"), ("dot", "digraph"), ("text", "")])
        func graphIsPrinted(format: String, beginning: String) async throws {
            let outcome = try await ServerProgram.run(["--graph", format])
            #expect(outcome.exitStatus == 0)
            #expect(outcome.output.firstMatch(of: try Regex("^(\(beginning))")) != nil, "\(outcome.output.prefix(80))")
            #expect(outcome.output.split(separator: "\n").count > 5)
        }

        @Test func userIsAddedOnce() async throws {
            try await withTemporaryFolder { folder in
                let arguments = ["--database", folder.appendingPathComponent("notes.sqlite").path, "--add-user"]
                let first = try await ServerProgram.run(arguments + ["ada"])
                #expect(first.exitStatus == 0)
                #expect(first.output.wholeMatch(of: /[A-Za-z0-9_-]{43}\n/) != nil, "\(first.output)")
                let second = try await ServerProgram.run(arguments + ["ada"])
                #expect(second.exitStatus == 1)
                #expect(second.output.isEmpty)
                #expect(second.errors.contains("ada"))
                let other = try await ServerProgram.run(arguments + ["grace"])
                #expect(other.exitStatus == 0)
                #expect(other.output != first.output)
            }
        }

        @Test(arguments: [
            "", "{", "[]", "null", #"{"unknown": 1}"#, #"{"pageSize": 0}"#, #"{"pageSize": -1}"#,
            #"{"pageSize": "20"}"#, #"{"pageSize": 1.5}"#, #"{"pageSize": 50, "maximumPageSize": 40}"#,
            #"{"maximumPageSize": 0}"#, #"{"maximumBodyBytes": 0}"#, #"{"maximumBodyBytes": -5}"#,
            #"{"connections": 0}"#, #"{"requestSeconds": 0}"#, #"{"requestSeconds": -1}"#,
            #"{"pagesize": 20}"#, #"{"maximumBodyBytes": 99999999999999999999}"#,
        ])
        func brokenConfigurationIsRefused(configuration: String) async throws {
            for wiring in Wiring.allCases {
                try await withTemporaryFolder { folder in
                    let file = RunningServer.configurationFile(in: folder)
                    try configuration.write(to: file, atomically: true, encoding: .utf8)
                    try await expectRefusal(
                        [
                            "--database", RunningServer.database(in: folder).path, "--port", "0",
                            "--configuration", file.path,
                        ] + wiring.arguments)
                }
            }
        }

        @Test(arguments: Wiring.allCases) func unopenableFilesAreErrors(wiring: Wiring) async throws {
            try await withTemporaryFolder { folder in
                let noDatabase = folder.appendingPathComponent("text.sqlite")
                try String(repeating: "This is no database. ", count: 500)
                    .write(to: noDatabase, atomically: true, encoding: .utf8)
                let database = RunningServer.database(in: folder).path
                for arguments in [
                    ["--database", folder.path], ["--database", noDatabase.path],
                    ["--database", folder.appendingPathComponent("missing/notes.sqlite").path],
                    ["--database", database, "--configuration", folder.appendingPathComponent("missing.json").path],
                    ["--database", database, "--host", "999.0.0.1"],
                ] {
                    try await expectRefusal(arguments + ["--port", "0"] + wiring.arguments)
                }
                #expect(try String(contentsOf: noDatabase, encoding: .utf8).hasPrefix("This is no database."))
            }
        }

        @Test(arguments: Wiring.allCases) func usedPortIsAnError(wiring: Wiring) async throws {
            let server = try SharedServers.server(wiring)
            try await withTemporaryFolder { folder in
                try await expectRefusal(
                    ["--database", RunningServer.database(in: folder).path, "--port", "\(server.port)"]
                        + wiring.arguments)
            }
        }

        /// Expects that the program exits with the reason why it does not start.
        private func expectRefusal(
            _ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            let outcome = try await ServerProgram.run(arguments)
            #expect(outcome.exitStatus > 0, "\(arguments)", sourceLocation: sourceLocation)
            #expect(outcome.output.isEmpty, "\(arguments)", sourceLocation: sourceLocation)
            #expect(!outcome.errors.isEmpty, "\(arguments)", sourceLocation: sourceLocation)
            #expect(!outcome.errors.contains("Fatal error"), "\(outcome.errors)", sourceLocation: sourceLocation)
        }
    }
}
