import DependencyInjection
import Foundation
import Hummingbird
import HummingbirdTesting
import InMemoryLogging
import Logging
import Notes
import ServiceLifecycle
import Testing

/// The wiring of the server. Both kinds have to behave the same.
enum Wiring: CaseIterable { case container, byHand }

/// A server in this process, with a database of its own.
struct TestServer: Sendable {
    let wiring: any Notes.Wiring
    let anonymous: Client
    let folder: URL
    let log: InMemoryLogHandler
    /// The port of a server with sockets.
    let port: Int

    func user(_ name: String = UUID().uuidString) async throws -> Client {
        Client(execute: anonymous.execute, token: try await wiring.accounts.add(name))
    }
}

/// A trait that gives each test a server of each wiring, without sockets. So the tests run in parallel.
struct TestServers: SuiteTrait, TestTrait, TestScoping {
    @TaskLocal private static var running: [Wiring: TestServer] = [:]

    let isRecursive = true

    static func server(_ wiring: Wiring) throws -> TestServer {
        try #require(running[wiring], "The suite lacks this trait.")
    }

    static func user(_ wiring: Wiring) async throws -> Client { try await server(wiring).user() }

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

/// Settings under which no request of a busy machine is too slow.
let patientSettings = #"{"requestSeconds": 3600}"#

/// Runs the operation with a server of its own, and closes its database afterwards.
func withTestServer(
    _ wiring: Wiring, _ setup: TestingSetup = .router, settings: String? = nil,
    _ operation: @Sendable (TestServer) async throws -> Void
) async throws {
    try await withTemporaryFolder { folder in
        let log = InMemoryLogHandler()
        let logger = Logger(label: "test") { _ in log }
        let path = folder.appending(path: "notes.sqlite").path
        let file = settings == nil ? nil : folder.appending(path: "settings.json")
        if let file, let settings { try Data(settings.utf8).write(to: file) }
        @Sendable func test(_ wiring: any Notes.Wiring, _ services: [any Service]) async throws {
            let application = NotesService.application(wiring, services: services, logger: logger)
            try await application.test(setup) { client in
                let anonymous =
                    client.port.map { Client(port: $0) }
                    ?? Client { request in
                        let response = try await client.executeRequest(
                            uri: request.head.path ?? "/", method: request.head.method,
                            headers: request.head.headerFields, body: request.body)
                        return TestClient.Response(head: response.head, body: response.body)
                    }
                try await operation(
                    TestServer(wiring: wiring, anonymous: anonymous, folder: folder, log: log, port: client.port ?? 0))
            }
        }
        switch wiring {
        case .container:
            let app = App(database: path, settings: file?.path, logger: logger)
            try await app.container.run { container in
                try await app.start()
                try await test(app, container.resolve.all((any Service).self))
            }
        case .byHand:
            let wiring = try await HandWiring(database: path, settings: file?.path, logger: logger)
            defer { wiring.close() }
            try await test(wiring, wiring.services)
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

/// Repeats the check until it is true. Returns false if that takes longer than a minute, which is long enough for a busy
/// machine, and only ends a test that would fail anyway.
func eventually(
    isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while try await !condition() {
        guard .now < end else { return false }
        try await Task.sleep(for: .milliseconds(10))
    }
    return true
}
