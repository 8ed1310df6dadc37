import Foundation

/// The built program.
enum ServerProgram {
    struct Outcome: Sendable {
        let exitStatus: Int32
        let output: String
        let errors: String
    }

    /// The executable, which the package manager builds into the folder of the tests.
    static var executable: URL {
        #if os(macOS)
            let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
            let folder = (tests ?? Bundle.main).bundleURL.deletingLastPathComponent()
        #else
            let folder = Bundle.main.bundleURL
        #endif
        return folder.appendingPathComponent("NotesServer")
    }

    /// Runs the program to its end.
    static func run(_ arguments: [String]) async throws -> Outcome {
        try await withTemporaryFolder { folder in
            let program = try ProgramRun(arguments: arguments, folder: folder)
            let status = await program.exitStatus()
            return Outcome(exitStatus: status, output: try program.output(), errors: try program.errors())
        }
    }
}

/// One run of the program. Its output is written to two files, so that no pipe can fill up and unflushed lines are
/// missing.
final class ProgramRun: Sendable {
    private let process = Process()
    private let outputFile: URL
    private let errorFile: URL
    private let exit: Task<Int32, Never>

    init(arguments: [String], folder: URL) throws {
        let name = UUID().uuidString
        outputFile = folder.appendingPathComponent("\(name).output")
        errorFile = folder.appendingPathComponent("\(name).errors")
        for file in [outputFile, errorFile] { try Data().write(to: file) }

        let (ends, continuation) = AsyncStream.makeStream(of: Int32.self)
        exit = Task {
            for await status in ends { return status }
            return -1
        }
        process.executableURL = ServerProgram.executable
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: outputFile)
        process.standardError = try FileHandle(forWritingTo: errorFile)
        process.terminationHandler = { process in
            // Distinguishes a signal from the exit status with the same number.
            let wasSignal = process.terminationReason == .uncaughtSignal
            continuation.yield(wasSignal ? -process.terminationStatus : process.terminationStatus)
            continuation.finish()
        }
        try process.run()
    }

    var isRunning: Bool { process.isRunning }

    func output() throws -> String { try String(contentsOf: outputFile, encoding: .utf8) }

    func errors() throws -> String { try String(contentsOf: errorFile, encoding: .utf8) }

    func signal(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Waits for the end. A program that hangs is killed, and its status is then negative.
    func exitStatus(within limit: Duration = .seconds(30)) async -> Int32 {
        let watchdog = Task {
            try await Task.sleep(for: limit)
            signal(SIGKILL)
        }
        defer { watchdog.cancel() }
        return await exit.value
    }
}

/// Creates a folder that is removed when the operation ends.
func withTemporaryFolder<Value>(
    isolation: isolated (any Actor)? = #isolation, _ operation: (URL) async throws -> Value
) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("NotesServerSocketTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await operation(folder)
}
