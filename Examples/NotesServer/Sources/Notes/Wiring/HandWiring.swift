import DependencyInjectionHummingbird
public import Hummingbird
public import Logging
public import ServiceLifecycle

/// The program wired without a container, for comparison. It has the same parts, lifetimes and order, written out.
public final class HandWiring: Wiring {
    /// The users of the server.
    public let accounts: Accounts
    private let database: NoteDatabase
    private let time = SystemTime()
    private let page = Page()
    private let logger: Logger
    private let settingsFile: SettingsFile?

    /// Reads the settings and opens the database.
    public init(database path: String, settings file: String? = nil, logger: Logger) async throws {
        self.logger = logger
        settingsFile = if let file { try await SettingsFile(file, logger: logger) } else { nil }
        database = try NoteDatabase(path, connections: (settingsFile?.settings ?? Settings()).connections)
        accounts = Accounts(database: database)
    }

    /// The current settings.
    public var settings: Settings { settingsFile?.settings ?? Settings() }

    /// The services that run beside the server.
    public var services: [any Service] { settingsFile.map { [$0] } ?? [] }

    public func addRoutes(to router: Router<NotesContext>) {
        router.get(use: handler { [page] _, _ in ShowPage(page: page) })
        router.get("health", use: handler { unit, _ in CheckHealth(unit: unit) })
        router.get(
            "notes",
            use: handler { [self] unit, context in ListNotes(notes: try notes(unit, context), settings: settings) })
        router.post("notes", use: handler { [self] in CreateNote(notes: try notes($0, $1)) })
        router.get("notes/:id", use: handler { [self] in ShowNote(notes: try notes($0, $1)) })
        router.put("notes/:id", use: handler { [self] in UpdateNote(notes: try notes($0, $1)) })
        router.delete("notes/:id", use: handler { [self] in DeleteNote(notes: try notes($0, $1)) })
    }

    /// Returns the closure of a route, which makes a handler for each request and ends its unit of work.
    private func handler<Handler: RequestHandler<NotesContext>>(
        _ make: @escaping @Sendable (UnitOfWork, NotesContext) throws -> Handler
    ) -> @concurrent @Sendable (Request, NotesContext) async throws -> Handler.Output {
        { [database] request, context in
            let unit = UnitOfWork(database: database, request: context.requestID)
            let output: Handler.Output
            do { output = try await make(unit, context).respond(to: request, context: context) } catch {
                // A task of its own, because the request may be canceled.
                await Task {
                    do { try await unit.rollBack() } catch {
                        context.logger.error("A failed request was not rolled back.", metadata: ["error": "\(error)"])
                    }
                }.value
                throw error
            }
            try await Task { try await unit.commit() }.value
            return output
        }
    }

    private func notes(_ unit: UnitOfWork, _ context: NotesContext) throws -> any NoteStore {
        guard let identity = context.identity else { throw HTTPError(.unauthorized) }
        return TimedNoteStore(base: SQLiteNoteStore(unit: unit, owner: identity, time: time), logger: context.logger)
    }

    /// Closes the database after the last response.
    public func close() {
        do { try database.close() } catch {
            logger.error("The database was not closed.", metadata: ["error": "\(error)"])
        }
    }
}
