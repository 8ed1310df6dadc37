import DependencyInjectionHummingbird
import GRDB
import Hummingbird
import Logging

/// A handler that checks whether the database responds.
struct CheckHealth: RequestHandler {
    let unit: UnitOfWork

    func respond(to request: Request, context: NotesContext) async throws -> [String: String] {
        do {
            _ = try await unit.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM users WHERE id = 1") }
        } catch {
            context.logger.error("The database doesn't respond.", metadata: ["error": "\(error)"])
            throw APIError.unavailable
        }
        return ["status": "ok"]
    }
}
