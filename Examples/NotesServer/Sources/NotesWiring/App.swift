public import DependencyInjection
import DependencyInjectionDiagnostics
public import HTTPServer
public import Notes
import SQLite

/// The app, wired by a container. This file contains all of its registrations.
public struct App: Wiring {
    /// The container with the modules below.
    public let container: DIContainer
    /// The users of the server. Resolved at the first request, when the database is open.
    @LazyInject public var accounts: Accounts
    // The app outlives a configuration, so it requests the current one each time.
    @Inject private var currentConfiguration: Provider<Configuration>
    private let configurationFile: String?

    /// Creates the app and registers everything. Builds nothing yet.
    public init(database path: String, configuration file: String? = nil, log: any Log = StandardErrorLog()) {
        configurationFile = file
        container = DIContainer {
            Shared(log as any Log)
            Self.configuration(file)
            Self.database(path)
            Self.accounts
            Self.notes
            Self.health
            Self.page
            // Each request's container provides these two, the identity only after its token has been checked.
            ProvidedByChild(RequestID.self, Identity.self)
        }
        _accounts = LazyInject(from: container)
        _currentConfiguration = Inject(from: container)
    }

    // MARK: - Registrations by feature

    static func configuration(_ file: String?) -> Module {
        Module("Configuration") {
            Shared(async: { _ in try await Configuration.load(file) })
        }
    }

    static func database(_ path: String) -> Module {
        Module("Database") {
            Shared(async: { resolve in
                let connections = try await resolve.async(Configuration.self).connections
                return try await Database.open(path, connections: connections, migrations: Migrations.all)
            })
            .onClose { database in await database.close() }

            // It depends on the request's ID, so that only a request's container can build it.
            Scoped(autowiring: UnitOfWork.init)
                .onClose { unit, failure in
                    if failure == nil { try await unit.commit() } else { try await unit.rollBack() }
                }
        }
    }

    static let accounts = Module("Accounts") {
        Shared(autowiring: Accounts.init)
    }

    static let notes = Module("Notes") {
        Shared(SystemTime() as any TimeSource)
        Scoped(autowiring: SQLiteNoteStore.init, as: (any NoteStore).self)
        Decorate((any NoteStore).self) { base, resolve in
            TimedNoteStore(base, id: try resolve.orThrow(), log: try resolve.orThrow())
        }

        New(autowiring: ListNotes.init, arguments: HTTPRequest.self)
        New(autowiring: ShowNote.init, arguments: HTTPRequest.self, Int64.self)
        New(autowiring: CreateNote.init, arguments: HTTPRequest.self)
        New(autowiring: UpdateNote.init, arguments: HTTPRequest.self, Int64.self)
        New(autowiring: DeleteNote.init, arguments: HTTPRequest.self, Int64.self)
    }

    static let health = Module("Health") {
        New(autowiring: CheckHealth.init)
    }

    static let page = Module("Page") {
        Shared(Page())
        New(autowiring: ShowPage.init)
    }

    // MARK: - Operations

    /// Validates the registrations, then reads the configuration and opens the database, before the server listens.
    public func start() async throws {
        try container.validate()
        try await container.prepare()
    }

    public func answer(
        _ route: Route, _ request: HTTPRequest, _ id: RequestID, _ identity: Identity?
    ) async throws -> HTTPResponse {
        try await container.withChild {
            Shared(id)
            if let identity { Shared(identity) }
        } operation: { child in
            try await handler(of: route, request, child.resolve.orThrow).answer()
        }
    }

    private func handler(
        of route: Route, _ request: HTTPRequest, _ resolve: ThrowingResolver
    ) throws -> any Handler {
        switch route {
        case .page: try resolve(ShowPage.self)
        case .health: try resolve(CheckHealth.self)
        case .listNotes: try resolve(ListNotes.self, arguments: request)
        case .createNote: try resolve(CreateNote.self, arguments: request)
        case .showNote(let id): try resolve(ShowNote.self, arguments: request, id)
        case .updateNote(let id): try resolve(UpdateNote.self, arguments: request, id)
        case .deleteNote(let id): try resolve(DeleteNote.self, arguments: request, id)
        }
    }

    public func renewConfiguration() async throws {
        let fresh = try await Configuration.load(configurationFile)
        container.register(Shared(fresh))
    }

    public func close() async throws {
        try await container.close()
    }

    /// The current configuration.
    public var configuration: Configuration { currentConfiguration() }
}
