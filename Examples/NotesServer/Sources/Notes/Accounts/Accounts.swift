import Crypto
import Foundation
import GRDB
import Hummingbird

/// The user to whom a valid token belongs.
struct Identity: Equatable, Sendable {
    let id: Int64
    let name: String
}

/// The users of the server.
public struct Accounts: Sendable {
    let database: NoteDatabase

    /// Adds a user and returns the token, which isn't stored.
    public func add(_ name: String) async throws(AccountError) -> String {
        let isPlain = name.allSatisfy { !$0.isWhitespace && $0.unicodeScalars.allSatisfy { $0.value >= 0x20 } }
        guard isPlain, (1...50).contains(name.count) else { throw .invalidName(name) }
        let token = Self.makeToken()
        do {
            try await change { [hash = Self.hash(token)] in
                try $0.execute(sql: "INSERT INTO users (name, tokenHash) VALUES (?, ?)", arguments: [name, hash])
            }
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
            throw .exists(name)
        } catch {
            throw .failed(error)
        }
        return token
    }

    /// Replaces the token of a user, and returns the new one.
    public func renewToken(of name: String) async throws(AccountError) -> String {
        let token = Self.makeToken()
        let count: Int
        do {
            count = try await change { [hash = Self.hash(token)] in
                try $0.execute(sql: "UPDATE users SET tokenHash = ? WHERE name = ?", arguments: [hash, name])
                return $0.changesCount
            }
        } catch {
            throw .failed(error)
        }
        if count == 0 { throw .unknown(name) }
        return token
    }

    private func change<Result: Sendable>(_ work: @Sendable (Database) throws -> Result) async throws -> Result {
        // A unit of work may have an open transaction.
        await database.writer.enter()
        defer { database.writer.leave() }
        return try await database.pool.write(work)
    }

    /// Returns 32 random bytes as text, in URL-safe base64.
    private static func makeToken() -> String {
        Data((0..<32).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Returns the user who sent a request, or throws an error that requires a token.
    func identity(of request: Request) async throws -> Identity {
        let parts = (request.headers[.authorization] ?? "").split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw APIError.unauthorized }
        let hash = Self.hash(String(parts[1]))
        let user = try await database.pool.read { database in
            try Row.fetchOne(database, sql: "SELECT id, name FROM users WHERE tokenHash = ?", arguments: [hash])
                .map { Identity(id: $0["id"], name: $0["name"]) }
        }
        guard let user else { throw APIError.unauthorized }
        return user
    }

    /// Returns the hash of a token, from which the token can't be recovered.
    ///
    /// A token is random and long, so unlike a password's hash, its hash needs no salt and needn't be slow.
    private static func hash(_ token: String) -> Data { Data(SHA256.hash(data: Data(token.utf8))) }
}

/// The reason why a user wasn't added or changed.
public enum AccountError: Error, CustomStringConvertible {
    case invalidName(String)
    case exists(String)
    case unknown(String)
    case failed(any Error)

    /// The reason as a sentence.
    public var description: String {
        switch self {
        case .invalidName(let name): "\"\(name)\" is no name: use 1 to 50 characters without spaces."
        case .exists(let name): "The user \(name) already exists."
        case .unknown(let name): "There is no user \(name)."
        case .failed(let error): "The user was not changed: \(error)"
        }
    }
}
