import Foundation
import Testing

/// A run of the built program. Its output is written to two files, so that no pipe can fill up.
final class ProgramRun: Sendable {
    private let process = Process()
    private let files: [URL]

    init(_ arguments: [String], folder: URL) throws {
        let name = UUID().uuidString
        files = ["output", "errors"].map { folder.appending(path: "\(name).\($0)") }
        for file in files { try Data().write(to: file) }
        // The package manager builds the program into the folder of the tests.
        #if os(macOS)
            let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
            let products = (tests ?? Bundle.main).bundleURL.deletingLastPathComponent()
        #else
            let products = Bundle.main.bundleURL
        #endif
        process.executableURL = products.appending(path: "NotesServer")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
    }

    var isRunning: Bool { process.isRunning }
    var output: String { (try? String(contentsOf: files[0], encoding: .utf8)) ?? "" }
    var errors: String { (try? String(contentsOf: files[1], encoding: .utf8)) ?? "" }

    func signal(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Waits for the end. A program that hangs is killed. After a signal, the status is negative.
    func exitStatus() async throws -> Int32 {
        if try await !eventually({ !process.isRunning }) { signal(SIGKILL) }
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal ? -process.terminationStatus : process.terminationStatus
    }
}

/// A server in a process of its own.
struct RunningServer: Sendable {
    let run: ProgramRun
    let folder: URL
    let port: Int

    /// Adds a user by a second run of the program, as an administrator does.
    func user() async throws -> Client {
        let arguments = ["--database", folder.appending(path: "notes.sqlite").path, "--add-user", UUID().uuidString]
        let program = try ProgramRun(arguments, folder: folder)
        try #require(try await program.exitStatus() == 0, "\(program.errors)")
        return Client(port: port, token: program.output.trimmingCharacters(in: .newlines))
    }
}

/// Runs the operation with a server in a process of its own, and stops the server as an administrator would. Its files
/// are in a temporary folder if none is given.
func withServer<Value>(
    _ wiring: Wiring, settings: String? = nil, folder: URL? = nil, isolation: isolated (any Actor)? = #isolation,
    _ operation: (RunningServer) async throws -> Value
) async throws -> Value {
    guard let folder else {
        return try await withTemporaryFolder {
            try await withServer(wiring, settings: settings, folder: $0, operation)
        }
    }
    var arguments = ["--database", folder.appending(path: "notes.sqlite").path, "--port", "0"]
    if wiring == .byHand { arguments.append("--by-hand") }
    if let settings {
        let file = folder.appending(path: "settings.json")
        try Data(settings.utf8).write(to: file)
        arguments += ["--configuration", file.path]
    }
    let run = try ProgramRun(arguments, folder: folder)
    // A failed test must leave no process behind.
    defer { if run.isRunning { run.signal(SIGKILL) } }
    _ = try await eventually { run.output.contains("\n") || !run.isRunning }
    let address = run.output.wholeMatch(of: /Listening on http:\/\/127\.0\.0\.1:(\d+)\n/)
    let port = try #require(address.flatMap { Int($0.output.1) }, "\(run.output)\(run.errors)")
    let value = try await operation(RunningServer(run: run, folder: folder, port: port))
    if run.isRunning { run.signal(SIGTERM) }
    #expect(try await run.exitStatus() == 0, "\(run.errors.suffix(2_000))")
    #expect(run.output.split(separator: "\n").count == 1, "Standard output has more than one line.")
    return value
}
