public import HTTPServer
public import Notes
import SQLite
import Synchronization

/// The program wired without a container, for comparison. It has the same parts, lifetimes and order, written out.
public final class HandWiring: Wiring {
    /// The users of the server.
    public let accounts: Accounts
    private let database: Database
    private let log: any Log
    private let time = SystemTime()
    private let page = Page()
    private let configurationFile: String?
    private let currentConfiguration: Mutex<Configuration>

    /// Reads the configuration and opens the database.
    public init(
        database path: String, configuration file: String? = nil, log: any Log = StandardErrorLog()
    ) async throws {
        let configuration = try await Configuration.load(file)
        database = try await Database.open(
            path, connections: configuration.connections, migrations: Migrations.all)
        accounts = Accounts(database: database)
        self.log = log
        configurationFile = file
        currentConfiguration = Mutex(configuration)
    }

    public func answer(
        _ route: Route, _ request: HTTPRequest, _ id: RequestID, _ identity: Identity?
    ) async throws -> HTTPResponse {
        let unit = UnitOfWork(database: database, request: id)
        let response: HTTPResponse
        do {
            response = try await handler(of: route, request, id, identity, unit).answer()
        } catch {
            do { try await unit.rollBack() } catch { log.write("error", ["id": "\(id)", "reason": "\(error)"]) }
            throw error
        }
        try await unit.commit()
        return response
    }

    private func handler(
        of route: Route, _ request: HTTPRequest, _ id: RequestID, _ identity: Identity?, _ unit: UnitOfWork
    ) throws -> any Handler {
        func notes() throws -> any NoteStore {
            guard let identity else { throw APIError.unauthorized }
            return TimedNoteStore(SQLiteNoteStore(unit: unit, owner: identity, time: time), id: id, log: log)
        }
        return switch route {
        case .page: ShowPage(page: page)
        case .health: CheckHealth(unit: unit, log: log)
        case .listNotes: ListNotes(request: request, notes: try notes(), configuration: configuration)
        case .createNote: CreateNote(request: request, notes: try notes())
        case .showNote(let noteID): ShowNote(request: request, id: noteID, notes: try notes())
        case .updateNote(let noteID): UpdateNote(request: request, id: noteID, notes: try notes())
        case .deleteNote(let noteID): DeleteNote(request: request, id: noteID, notes: try notes())
        }
    }

    /// The current configuration.
    public var configuration: Configuration { currentConfiguration.withLock { $0 } }

    public func renewConfiguration() async throws {
        let configuration = try await Configuration.load(configurationFile)
        currentConfiguration.withLock { $0 = configuration }
    }

    public func close() async throws {
        await database.close()
    }
}
