import HTTPServer
package import SQLite
import Secrets

/// The user to whom a valid token belongs.
public struct Identity: Equatable, Sendable {
    let id: Int64
    let name: String
}

/// The users of the server.
public struct Accounts: Sendable {
    private let database: Database

    package init(database: Database) { self.database = database }

    /// Adds a user and returns the token, which isn't stored.
    public func add(_ name: String) async throws(AccountError) -> String {
        let isPlain = name.allSatisfy { !$0.isWhitespace && $0.unicodeScalars.allSatisfy { $0.value >= 0x20 } }
        guard isPlain, (1...50).contains(name.count) else { throw .invalidName(name) }
        let token = Secrets.token()
        do {
            _ = try await database.writer.with {
                try $0.rows(
                    "INSERT INTO users (name, tokenHash) VALUES (?, ?)", .text(name), .blob(Secrets.hash(token)))
            }
        } catch let error as SQLiteError where error.isDuplicate {
            throw .exists(name)
        } catch {
            throw .failed(error)
        }
        return token
    }

    /// Returns the user who sent a request, or throws an error that requires a token.
    func identity(of request: HTTPRequest) async throws -> Identity {
        let parts = (request.headers["Authorization"] ?? "").split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw APIError.unauthorized }
        let hash = Secrets.hash(String(parts[1]))
        let found = try await database.readers.with {
            try $0.rows("SELECT id, name FROM users WHERE tokenHash = ?", .blob(hash))
        }
        guard let user = found.first else { throw APIError.unauthorized }
        return Identity(id: try user.integer(0), name: try user.text(1))
    }
}

/// The reason why a user wasn't added.
public enum AccountError: Error, CustomStringConvertible {
    case invalidName(String)
    case exists(String)
    case failed(any Error)

    /// The reason as a sentence.
    public var description: String {
        switch self {
        case .invalidName(let name): "\"\(name)\" is no name: use 1 to 50 characters without spaces."
        case .exists(let name): "The user \(name) already exists."
        case .failed(let error): "The user was not added: \(error)"
        }
    }
}
