import DependencyInjection
import Foundation
import HTTPServer
import SQLite
import Synchronization

@testable import Notes
@testable import NotesWiring

/// A directory for one test, which is removed afterwards.
final class TemporaryDirectory: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "NotesTests-\(UUID())")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: url.appending(path: name), options: .atomic)
    }
}

/// A value protected by a lock, for several tasks.
final class Locked<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    func withLock<Result: Sendable>(_ body: (inout sending Value) -> sending Result) -> Result {
        value.withLock(body)
    }
}

/// A log that records its messages.
final class RecordingLog: Log {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }

    func write(_ event: String, _ fields: KeyValuePairs<String, String>) {
        let line = fields.reduce(event) { "\($0) \($1.key)=\($1.value)" }
        kept.withLock { $0.append(line) }
    }
}

/// A source of times, each a second after the one before.
final class CountingTime: TimeSource {
    private let seconds = Mutex(0.0)

    func now() -> Date {
        seconds.withLock { seconds in
            seconds += 1
            return Date(timeIntervalSince1970: seconds)
        }
    }
}

/// The app with its own registrations. Each test overrides the database.
let app = App(database: "/dev/null/none", log: RecordingLog())

/// Returns registrations for a database in a temporary file, which is removed after the test.
@RegistrationBuilder func temporaryDatabase() -> [Registration] {
    Shared(try! TemporaryDirectory())
    Shared(CountingTime() as any TimeSource)
    Shared(async: { resolve in
        let file = resolve(TemporaryDirectory.self).path("notes.sqlite")
        return try await Database.open(file, connections: 2, migrations: Migrations.all)
    })
}

extension DIContainer {
    /// Opens the database of the test, and adds a user.
    static func addUser(_ name: String) async throws -> Identity {
        try await current.prepare()
        let token = try await resolve(Accounts.self).add(name)
        return try await resolve(Accounts.self)
            .identity(of: HTTPRequest("GET", "/notes", headers: ["Authorization": "Bearer \(token)"]))
    }

    /// Performs the operations of a user's request on its notes.
    static func with<Result>(
        _ identity: Identity, _ operation: (any NoteStore) async throws -> Result
    ) async throws -> Result {
        try await withChild {
            Shared(identity)
            Shared(RequestID(HTTPRequest("GET", "/")))
        } operation: { child in
            try await operation(child.resolve())
        }
    }
}
