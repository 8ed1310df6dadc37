package import HTTPServer
import SQLite

/// A handler that checks whether the database responds.
package struct CheckHealth: Handler {
    let unit: UnitOfWork
    let log: any Log

    package init(unit: UnitOfWork, log: any Log) {
        self.unit = unit
        self.log = log
    }

    package func answer() async throws -> HTTPResponse {
        do {
            _ = try await unit.read { try $0.rows("SELECT count(*) FROM users WHERE id = 1") }
        } catch {
            log.write("health", ["reason": "\(error)"])
            throw APIError.unavailable
        }
        return try HTTPResponse(200, json: ["status": "ok"])
    }
}
