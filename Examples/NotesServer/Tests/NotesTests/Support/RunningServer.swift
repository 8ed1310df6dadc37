import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOPosix
import Synchronization
import Testing

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
        return folder.appending(path: "NotesServer")
    }

    /// Runs the program to its end.
    static func run(_ arguments: [String]) async throws -> Outcome {
        try await withTemporaryFolder { folder in
            let program = try ProgramRun(arguments: arguments, folder: folder)
            let status = try await program.exitStatus()
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

    init(arguments: [String], folder: URL) throws {
        let name = UUID().uuidString
        outputFile = folder.appending(path: "\(name).output")
        errorFile = folder.appending(path: "\(name).errors")
        for file in [outputFile, errorFile] { try Data().write(to: file) }
        process.executableURL = ServerProgram.executable
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: outputFile)
        process.standardError = try FileHandle(forWritingTo: errorFile)
        try process.run()
    }

    var isRunning: Bool { process.isRunning }

    func output() throws -> String { try String(contentsOf: outputFile, encoding: .utf8) }

    func errors() throws -> String { try String(contentsOf: errorFile, encoding: .utf8) }

    func signal(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Waits for the end. A program that hangs is killed. After a signal, the status is negative.
    func exitStatus() async throws -> Int32 {
        if try await !eventually({ !process.isRunning }) { signal(SIGKILL) }
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal ? -process.terminationStatus : process.terminationStatus
    }
}

/// A server in a process of its own, with a database and settings.
struct RunningServer: ServerUnderTest {
    let run: ProgramRun
    let folder: URL
    let port: Int
    var log: RecordedLog { RecordedLog() }

    static func database(in folder: URL) -> URL { folder.appending(path: "notes.sqlite") }
    static func settings(in folder: URL) -> URL { folder.appending(path: "settings.json") }

    /// Starts the server and waits until it reports its address.
    static func start(_ wiring: Wiring, settings: String, folder: URL) async throws -> RunningServer {
        try Data(settings.utf8).write(to: Self.settings(in: folder))
        let arguments = [
            "--database", database(in: folder).path, "--port", "0", "--configuration", Self.settings(in: folder).path,
        ]
        let run = try ProgramRun(arguments: arguments + (wiring == .byHand ? ["--by-hand"] : []), folder: folder)
        let listens = try await eventually { try run.output().contains("\n") || !run.isRunning }
        let output = try run.output()
        guard listens, let port = output.firstMatch(of: /^Listening on http:\/\/127\.0\.0\.1:(\d+)\n$/)?.output.1 else {
            run.signal(SIGKILL)
            throw ServerError(description: "The server did not start. \(output)\(try run.errors())")
        }
        return RunningServer(run: run, folder: folder, port: Int(port) ?? 0)
    }

    /// Adds a user by a second run of the program, as an administrator does, and returns the token.
    func addUser(named name: String) async throws -> String {
        let outcome = try await ServerProgram.run(["--database", Self.database(in: folder).path, "--add-user", name])
        guard outcome.exitStatus == 0 else { throw ServerError(description: "No user was added. \(outcome.errors)") }
        return outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func send(
        _ target: String, _ method: HTTPRequest.Method, _ headers: HTTPFields, _ body: ByteBuffer?
    ) async throws -> Response {
        try await TestClient.withClient(host: "127.0.0.1", port: port, configuration: .init(timeout: .seconds(60))) {
            let response = try await $0.execute(
                TestClient.Request(target, method: method, authority: "localhost", headers: headers, body: body))
            return Response(
                status: response.status.code, headers: response.headers,
                body: response.body.map { Array($0.readableBytesView) } ?? [])
        }
    }

    /// Stops the server as an administrator would, and checks that it exits without an error.
    func stop(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        run.signal(SIGTERM)
        let status = try await run.exitStatus()
        let errors = try run.errors().suffix(2_000)
        #expect(status == 0, "\(errors)", sourceLocation: sourceLocation)
        let lines = try run.output().split(separator: "\n")
        #expect(lines.count == 1, "Standard output has more than one line.", sourceLocation: sourceLocation)
    }
}

struct ServerError: Error, CustomStringConvertible {
    let description: String
}

/// Runs the operation with a server in a process of its own. The folder is removed afterwards, unless one is given.
func withServer<Value>(
    _ wiring: Wiring, settings: String = "{}", folder: URL? = nil,
    isolation: isolated (any Actor)? = #isolation, _ operation: (RunningServer) async throws -> Value
) async throws -> Value {
    guard let folder else {
        return try await withTemporaryFolder { folder in
            try await withServer(wiring, settings: settings, folder: folder, operation)
        }
    }
    let server = try await RunningServer.start(wiring, settings: settings, folder: folder)
    // A failed test must leave no process behind.
    defer { if server.run.isRunning { server.run.signal(SIGKILL) } }
    let value = try await operation(server)
    if server.run.isRunning { try await server.stop() }
    return value
}

/// A connection that sends any bytes, including invalid HTTP.
struct RawConnection: Sendable {
    private final class Received: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        let state = Mutex((bytes: ByteBuffer(), isClosed: false))

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            state.withLock { _ = $0.bytes.writeBuffer(&bytes) }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case ChannelEvent.inputClosed = event { state.withLock { $0.isClosed = true } }
        }

        func channelInactive(context: ChannelHandlerContext) { state.withLock { $0.isClosed = true } }

        // A server that resets the connection also makes it inactive.
        func errorCaught(context: ChannelHandlerContext, error: any Error) {}
    }

    private let channel: any Channel
    private let received: Received

    init(to port: Int) async throws {
        let received = Received()
        self.received = received
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { $0.pipeline.addHandler(received) }
            .connect(host: "127.0.0.1", port: port).get()
    }

    func send(_ text: String) async throws { try await channel.writeAndFlush(ByteBuffer(string: text)) }

    /// Ends the sending side. Responses can still be received.
    func finishSending() async throws { try await channel.close(mode: .output) }

    func close() async throws { try await channel.close() }

    /// The bytes that the server has sent.
    var text: String { received.state.withLock { String(buffer: $0.bytes) } }
    var isClosed: Bool { received.state.withLock { $0.isClosed } }

    /// Waits for a text.
    func receive(_ expected: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let arrived = try await eventually { text.contains(expected) || isClosed }
        #expect(arrived && text.contains(expected), "\(text)", sourceLocation: sourceLocation)
    }

    /// Waits until the server closes the connection, and returns what it sent before.
    func receiveUntilClosed(sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
        let ended = try await eventually { isClosed }
        #expect(ended, "The server doesn't close the connection.", sourceLocation: sourceLocation)
        try? await channel.close()
        return text
    }
}

/// Repeats the check until it is true. Returns false if that takes longer than the limit, which is long
/// enough for a busy machine: it ends a test that would fail anyway.
func eventually(
    within limit: Duration = .seconds(60), isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async throws -> Bool {
    let end = ContinuousClock.now + limit
    while try await !condition() {
        guard .now < end else { return false }
        try await Task.sleep(for: .milliseconds(10))
    }
    return true
}
