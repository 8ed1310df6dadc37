import DependencyInjection
import DependencyInjectionTesting
import Foundation
import GRDB
import Hummingbird
import Logging

@testable import Notes

/// The app's registrations, for tests of its parts.
enum Sample {
    static let app = App(database: "", logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }).container

    /// A database in a file that is removed when the container of a test is closed.
    @RegistrationBuilder static var database: [Registration] {
        Shared(async: { _ in
            let folder = FileManager.default.temporaryDirectory.appending(path: "NotesTests-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return try NoteDatabase(folder.appending(path: "notes.sqlite").path, connections: 2)
        })
        .onClose { (database: NoteDatabase) in
            try database.close()
            try FileManager.default.removeItem(
                at: URL(filePath: database.pool.path).deletingLastPathComponent())
        }
    }

    /// Prepares the container of the test, and adds a user.
    static func user(_ name: String) async throws -> Identity {
        try await DIContainer.current.prepare()
        let accounts = DIContainer.resolve(Accounts.self)
        return try await accounts.identity(of: request(token: try await accounts.add(name)))
    }

    static func request(token: String) -> Request {
        Request(
            head: HTTPRequest(
                method: .get, scheme: nil, authority: nil, path: "/notes",
                headerFields: [.authorization: "Bearer \(token)"]),
            body: RequestBody(buffer: ByteBuffer()))
    }

    /// Performs the operations of a user's request on its notes.
    static func request<Result>(
        of identity: Identity, _ operation: (any NoteStore) async throws -> Result
    ) async throws -> Result {
        try await DIContainer.withChild {
            Shared(identity)
            Shared(Notes.RequestID())
        } operation: { child in
            try await operation(child.resolve())
        }
    }
}
