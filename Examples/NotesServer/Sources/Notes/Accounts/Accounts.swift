import Crypto
import Foundation
import GRDB
import Hummingbird

/// The user to whom a valid token belongs.
struct Identity: Decodable, Equatable, FetchableRecord {
    let id: Int64
    let name: String
}

/// The users of the server.
public struct Accounts: Sendable {
    let database: NoteDatabase

    /// Adds a user and returns the token, which isn't stored.
    public func add(_ name: String) async throws -> String {
        let isPlain = name.allSatisfy { !$0.isWhitespace && $0.unicodeScalars.allSatisfy { $0.value >= 0x20 } }
        guard isPlain, (1...50).contains(name.count) else {
            throw InvalidInput(description: "\"\(name)\" is no name: use 1 to 50 characters without spaces.")
        }
        return try await storeToken(
            of: name, by: "INSERT INTO users (tokenHash, name) VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
            otherwise: "The user \(name) already exists.")
    }

    /// Replaces the token of a user, and returns the new one.
    public func renewToken(of name: String) async throws -> String {
        try await storeToken(
            of: name, by: "UPDATE users SET tokenHash = ? WHERE name = ?", otherwise: "There is no user \(name).")
    }

    /// Stores the hash of a new token, and returns the token. Throws an error if the statement changes no user.
    private func storeToken(of name: String, by statement: String, otherwise reason: String) async throws -> String {
        // 32 random bytes in URL-safe base64.
        let token = Data((0..<32).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        // A unit of work may have an open transaction.
        await database.writer.enter()
        defer { database.writer.leave() }
        let count = try await database.pool.write { [hash = Self.hash(token)] in
            try $0.execute(sql: statement, arguments: [hash, name])
            return $0.changesCount
        }
        if count == 0 { throw InvalidInput(description: reason) }
        return token
    }

    /// Returns the user who sent a request, or throws an error that requires a token.
    func identity(of request: Request) async throws -> Identity {
        let parts = (request.headers[.authorization] ?? "").split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw APIError.unauthorized }
        let hash = Self.hash(String(parts[1]))
        let user = try await database.pool.read {
            try Identity.fetchOne($0, sql: "SELECT id, name FROM users WHERE tokenHash = ?", arguments: [hash])
        }
        guard let user else { throw APIError.unauthorized }
        return user
    }

    /// Returns the hash of a token, from which the token can't be recovered.
    ///
    /// A token is random and long, so unlike a password's hash, its hash needs no salt and needn't be slow.
    private static func hash(_ token: String) -> Data { Data(SHA256.hash(data: Data(token.utf8))) }
}
