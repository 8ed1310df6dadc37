public import DependencyInjection
import DependencyInjectionDiagnostics
import DependencyInjectionHummingbird
import Foundation
public import Hummingbird
public import Logging
import ServiceLifecycle

/// The app, wired by a container. This file contains all of its registrations.
public struct App: Wiring {
    /// The container with the modules below.
    public let container: DIContainer
    /// The users of the server, when the database is open.
    public var accounts: Accounts { get throws { try container.resolve.orThrow() } }
    /// The current settings.
    public var settings: Settings { get throws { try container.resolve.orThrow() } }

    /// Creates the app and registers everything. Builds nothing yet.
    public init(database path: String, settings file: String? = nil, logger: Logger) {
        container = DIContainer {
            Shared(logger)
            Self.settings(file)
            Self.database(path)
            Self.accounts
            Self.notes
            Self.health
            Self.page
            // Each request's container provides these two, the identity only after its token has been checked.
            ProvidedByChild(RequestID.self, Identity.self)
        }
    }

    // MARK: - Registrations by feature

    static func settings(_ file: String?) -> Module {
        Module("Settings") {
            if let file {
                Shared(async: { resolve in
                    let container = DIContainer.current
                    return try await SettingsFile(file, logger: resolve.orThrow()) { container.register(Shared($0)) }
                })
                .into((any Service).self)
                Shared(async: { resolve in try await resolve.async(SettingsFile.self).settings })
            } else {
                Shared(Settings())
            }
        }
    }

    static func database(_ path: String) -> Module {
        Module("Database") {
            Shared(async: { resolve in
                try NoteDatabase(path, connections: await resolve.async(Settings.self).connections)
            })
            .onClose { database in try database.close() }

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
        // The logger is the request's, because a request's container builds the store.
        Decorate((any NoteStore).self) { base, resolve in TimedNoteStore(base: base, logger: try resolve.orThrow()) }

        New(autowiring: ListNotes.init)
        New(autowiring: ShowNote.init)
        New(autowiring: CreateNote.init)
        New(autowiring: UpdateNote.init)
        New(autowiring: DeleteNote.init)
    }

    static let health = Module("Health") {
        New(autowiring: CheckHealth.init)
    }

    static let page = Module("Page") {
        Shared(Page())
        New(autowiring: ShowPage.init)
    }

    // MARK: - Operations

    /// Validates the registrations, then builds everything that requests share, before the server listens.
    public func start() async throws {
        try container.validate(allowing: [.unpreparedDependency])
        try await container.prepare(.all)
    }

    public func addRoutes(to router: Router<NotesContext>) {
        router.add(
            middleware: RequestContainer(container) { _, context in
                Shared(context.requestID)
                if let identity = context.identity { Shared(identity) }
            })
        router.get(use: resolved(ShowPage.self))
        router.get("health", use: resolved(CheckHealth.self))
        router.get("notes", use: resolved(ListNotes.self))
        router.post("notes", use: resolved(CreateNote.self))
        router.get("notes/:id", use: resolved(ShowNote.self))
        router.put("notes/:id", use: resolved(UpdateNote.self))
        router.delete("notes/:id", use: resolved(DeleteNote.self))
    }
}
