import DependencyInjection

/// Logs users in and out. Each session has a container of its own, a child of the app's container.
final class SessionManager {
    private let app: DIContainer
    private let service: ParcelService
    private let logger: Logger
    private(set) var container: DIContainer?

    init(app: DIContainer, service: ParcelService, logger: Logger) {
        self.app = app
        self.service = service
        self.logger = logger
    }

    func logIn(user: String, code: String) async throws -> DIContainer {
        let token = try await service.logIn(user: user, code: code)
        let session = Session(user: user, token: token, service: service)
        let container = app.makeChild {
            Shared(session).onClose { session in try await session.end() }
        }
        // Another user may have logged in during the request.
        await close(replacingBy: container)
        return container
    }

    func logOut() async {
        await close(replacingBy: nil)
    }

    private func close(replacingBy next: DIContainer?) async {
        let previous = container
        container = next
        do {
            try await previous?.close()
        } catch {
            // The session has ended in any case, and the service will let its token expire.
            logger.log("\(error)")
        }
    }
}
