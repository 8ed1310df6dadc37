import Foundation
import Testing

/// A server that listens, with a database and a configuration of its own.
struct RunningServer: Sendable {
    let run: ProgramRun
    let wiring: Wiring
    let folder: URL
    let port: UInt16

    static func database(in folder: URL) -> URL { folder.appendingPathComponent("notes.sqlite") }

    static func configurationFile(in folder: URL) -> URL { folder.appendingPathComponent("configuration.json") }

    /// Starts the server and waits until it reports its address.
    static func start(_ wiring: Wiring, configuration: String, folder: URL) async throws -> RunningServer {
        try configuration.write(to: configurationFile(in: folder), atomically: true, encoding: .utf8)
        let run = try ProgramRun(
            arguments: [
                "--database", database(in: folder).path, "--port", "0",
                "--configuration", configurationFile(in: folder).path,
            ] + wiring.arguments,
            folder: folder)
        let listens = try await eventually { try run.output().contains("\n") || !run.isRunning }
        guard listens, let port = port(in: try run.output()) else {
            run.signal(SIGKILL)
            throw ServerError("The server did not start. \(try run.output())\(try run.errors())")
        }
        return RunningServer(run: run, wiring: wiring, folder: folder, port: port)
    }

    private static func port(in output: String) -> UInt16? {
        let prefix = "Listening on http://127.0.0.1:"
        guard output.hasPrefix(prefix), output.hasSuffix("\n") else { return nil }
        return UInt16(output.dropFirst(prefix.count).dropLast())
    }

    /// Adds a user by a second run of the program, as an administrator does, and returns the token.
    func addUser(named name: String = UUID().uuidString) async throws -> String {
        let outcome = try await ServerProgram.run([
            "--database", Self.database(in: folder).path, "--add-user", name,
        ])
        guard outcome.exitStatus == 0 else { throw ServerError("No user was added. \(outcome.errors)") }
        return outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The lines that the server has logged.
    func log() throws -> [Substring] { try run.errors().split(separator: "\n") }

    /// Waits for the line about a request, which may be written after the response was sent.
    func logLine(ofRequest id: String) async throws -> String {
        var line: Substring?
        _ = try await eventually {
            line = try log().first { $0.hasPrefix("request id=\(id) ") }
            return line != nil
        }
        return String(try #require(line, "The request \(id) is not in the log."))
    }

    /// Stops the server as an administrator would, and checks that it exits without an error.
    func stop(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        run.signal(SIGTERM)
        let status = await run.exitStatus()
        let errors = try run.errors().suffix(2_000)
        #expect(status == 0, "\(errors)", sourceLocation: sourceLocation)
        let lines = try run.output().split(separator: "\n")
        #expect(lines.count == 1, "Standard output has more than one line.", sourceLocation: sourceLocation)
    }
}

struct ServerError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Runs the operation with a server of its own. The server's folder is removed afterwards, unless one is given.
func withServer<Value>(
    _ wiring: Wiring, configuration: String = "{}", folder: URL? = nil,
    isolation: isolated (any Actor)? = #isolation, _ operation: (RunningServer) async throws -> Value
) async throws -> Value {
    guard let folder else {
        return try await withTemporaryFolder { folder in
            try await withServer(wiring, configuration: configuration, folder: folder, operation)
        }
    }
    let server = try await RunningServer.start(wiring, configuration: configuration, folder: folder)
    // A failed test must leave no process behind.
    defer { if server.run.isRunning { server.run.signal(SIGKILL) } }
    let value = try await operation(server)
    if server.run.isRunning { try await server.stop() }
    return value
}

/// A trait that runs one server of each wiring, which the tests of the suite share.
struct SharedServers: SuiteTrait, TestScoping {
    @TaskLocal private static var running: [Wiring: RunningServer] = [:]

    static func server(_ wiring: Wiring) throws -> RunningServer {
        try #require(running[wiring], "The suite lacks the trait .sharedServers.")
    }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // Only the time limit differs from the defaults, so that no request is cut off on a busy machine.
        let configuration = #"{"requestSeconds": 100}"#
        try await withServer(.container, configuration: configuration) { container in
            try await withServer(.byHand, configuration: configuration) { byHand in
                try await Self.$running.withValue([.container: container, .byHand: byHand]) { try await function() }
            }
        }
    }
}

extension Trait where Self == SharedServers {
    static var sharedServers: Self { SharedServers() }
}
