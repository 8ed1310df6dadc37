import DependencyInjection
import DependencyInjectionTesting
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Notes
import ServiceLifecycle
import Synchronization
import Testing

/// The wiring of the server. Both kinds have to behave the same.
enum Wiring: String, CaseIterable, CustomTestStringConvertible {
    case container
    case byHand

    var testDescription: String { rawValue }
}

/// A server with a database of its own.
protocol ServerUnderTest: Sendable {
    var folder: URL { get }
    var log: RecordedLog { get }
    func addUser(named name: String) async throws -> String
    func send(
        _ target: String, _ method: HTTPRequest.Method, _ headers: HTTPFields, _ body: ByteBuffer?
    ) async throws -> Response
}

/// A server in this process, without a socket.
struct TestServer: ServerUnderTest {
    let wiring: any Notes.Wiring
    let client: any TestClientProtocol
    let folder: URL
    let log: RecordedLog

    func addUser(named name: String) async throws -> String { try await wiring.accounts.add(name) }

    func send(
        _ target: String, _ method: HTTPRequest.Method, _ headers: HTTPFields, _ body: ByteBuffer?
    ) async throws -> Response {
        let response = try await client.executeRequest(uri: target, method: method, headers: headers, body: body)
        return Response(
            status: response.status.code, headers: response.headers, body: Array(response.body.readableBytesView))
    }
}

/// A trait that gives each test a server of each wiring. So the tests run in parallel.
struct TestServers: SuiteTrait, TestTrait, TestScoping {
    @TaskLocal private static var running: [Wiring: TestServer] = [:]

    let isRecursive = true

    static func server(_ wiring: Wiring) throws -> TestServer {
        try #require(running[wiring], "The suite lacks the trait .servers.")
    }

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTestServer(.container) { container in
            try await withTestServer(.byHand) { byHand in
                try await Self.$running.withValue([.container: container, .byHand: byHand]) { try await function() }
            }
        }
    }
}

extension Trait where Self == TestServers {
    static var servers: Self { TestServers() }
}

/// Runs the operation with a server of its own, and closes its database afterwards.
func withTestServer(
    _ wiring: Wiring, settings: URL? = nil, _ operation: @Sendable (TestServer) async throws -> Void
) async throws {
    try await withTemporaryFolder { folder in
        let log = RecordedLog()
        let logger = Logger(label: "test") { _ in log }
        let path = folder.appending(path: "notes.sqlite").path
        @Sendable func test(_ wiring: any Notes.Wiring, _ services: [any Service]) async throws {
            let application = NotesService.application(wiring, services: services, logger: logger)
            try await application.test(.router) { client in
                try await operation(TestServer(wiring: wiring, client: client, folder: folder, log: log))
            }
        }
        switch wiring {
        case .container:
            let app = App(database: path, settings: settings?.path, logger: logger)
            try await app.container.run { container in
                try await app.start()
                try await test(app, container.resolve.all((any Service).self))
            }
        case .byHand:
            let wiring = try await HandWiring(database: path, settings: settings?.path, logger: logger)
            try await test(wiring, wiring.services)
            try wiring.close()
        }
    }
}

/// A log that a test reads.
struct RecordedLog: LogHandler {
    struct Line: Sendable {
        let level: Logger.Level
        let message: String
        let metadata: Logger.Metadata

        /// The ID of the request.
        var id: String { metadata["id"].map { "\($0)" } ?? "" }
    }

    private final class Recorded: Sendable {
        let lines = Mutex<[Line]>([])
    }

    private let recorded = Recorded()
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    var lines: [Line] { recorded.lines.withLock { $0 } }
    var text: String { lines.map { "\($0)" }.joined(separator: "\n") }

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let metadata = metadata.merging(event.metadata ?? [:]) { $1 }
        recorded.lines.withLock {
            $0.append(Line(level: event.level, message: "\(event.message)", metadata: metadata))
        }
    }
}

/// Creates a folder that is removed when the operation ends.
func withTemporaryFolder<Value>(
    isolation: isolated (any Actor)? = #isolation, _ operation: (URL) async throws -> Value
) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "NotesTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await operation(folder)
}
