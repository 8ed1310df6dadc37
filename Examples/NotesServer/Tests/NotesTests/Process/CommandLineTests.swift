import Foundation
import Testing

extension ProcessTests {
    struct CommandLineTests {
        @Test func helpIsPrinted() async throws {
            let outcome = try await ServerProgram.run(["--help"])
            #expect(outcome.exitStatus == 0 && outcome.errors.isEmpty)
            for option in [
                "--database", "--host", "--port", "--configuration", "--by-hand", "--add-user", "--new-token",
                "--graph",
            ] {
                #expect(outcome.output.contains(option), "\(option)")
            }
        }

        @Test func wrongArgumentsAreRefused() async throws {
            let wrong = [
                [], ["--database"], ["--unknown"], ["notes.sqlite"], ["--database", "a", "--port", "x"],
                ["--database", "a", "--port", "65536"], ["--database", "a", "--add-user"], ["--add-user", "ada"],
                ["--graph", "png"], ["--by-hand"], ["--database", "a", "more"],
            ]
            for arguments in wrong {
                let outcome = try await ServerProgram.run(arguments)
                #expect(outcome.exitStatus == 64 && outcome.output.isEmpty, "\(arguments)")
                #expect(outcome.errors.contains("--database"), "The usage is part of it: \(outcome.errors)")
            }
        }

        @Test(arguments: [("mermaid", "graph|flowchart"), ("dot", "digraph"), ("text", "")])
        func graphIsPrinted(format: String, beginning: String) async throws {
            let outcome = try await ServerProgram.run(["--graph", format])
            #expect(outcome.exitStatus == 0)
            #expect(outcome.output.firstMatch(of: try Regex("^(\(beginning))")) != nil, "\(outcome.output.prefix(80))")
            #expect(outcome.output.split(separator: "\n").count > 5)
        }

        @Test func usersAreAddedOnceAndGetNewTokens() async throws {
            try await withTemporaryFolder { folder in
                let database = ["--database", RunningServer.database(in: folder).path]
                var tokens: Set<String> = []
                for arguments in [["--add-user", "ada"], ["--add-user", "eve"], ["--new-token", "ada"]] {
                    let outcome = try await ServerProgram.run(database + arguments)
                    #expect(outcome.exitStatus == 0)
                    #expect(outcome.output.wholeMatch(of: /[A-Za-z0-9_-]{43}\n/) != nil, "\(outcome.output)")
                    tokens.insert(outcome.output)
                }
                #expect(tokens.count == 3)
                for arguments in [["--add-user", "ada"], ["--new-token", "grace"], ["--add-user", "two words"]] {
                    let outcome = try await ServerProgram.run(database + arguments)
                    #expect(outcome.exitStatus == 1 && outcome.output.isEmpty)
                    #expect(outcome.errors.contains(arguments[1]))
                }
            }
        }

        @Test(arguments: Wiring.allCases) func failedStartIsAnError(wiring: Wiring) async throws {
            try await withServer(wiring) { other in
                try await withTemporaryFolder { folder in
                    let text = folder.appending(path: "text.sqlite")
                    try Data(String(repeating: "This is no database. ", count: 500).utf8).write(to: text)
                    let broken = folder.appending(path: "broken.json")
                    try Data(#"{"pageSize": 0}"#.utf8).write(to: broken)
                    let database = RunningServer.database(in: folder).path
                    for arguments in [
                        ["--database", folder.path, "--port", "0"], ["--database", text.path, "--port", "0"],
                        ["--database", folder.appending(path: "missing/notes.sqlite").path, "--port", "0"],
                        ["--database", database, "--port", "0", "--configuration", "\(folder.path)/missing.json"],
                        ["--database", database, "--port", "0", "--configuration", broken.path],
                        ["--database", database, "--host", "999.0.0.1"],
                        ["--database", database, "--port", "\(other.port)"],
                    ] {
                        let outcome = try await ServerProgram.run(arguments + (wiring == .byHand ? ["--by-hand"] : []))
                        #expect(outcome.exitStatus == 1 && outcome.output.isEmpty, "\(arguments) \(outcome)")
                        #expect(!outcome.errors.isEmpty && !outcome.errors.contains("Fatal error"), "\(outcome.errors)")
                    }
                    #expect(try String(contentsOf: text, encoding: .utf8).hasPrefix("This is no database."))
                }
            }
        }
    }
}
