import DependencyInjection
import SwiftUI
import UIKit

/// Navigates from the splash to the log-in, and from there to the screens of a session and back.
final class AppCoordinator: Router {
    private let navigation: UINavigationController
    private let sessions: SessionManager
    private let logger: Logger
    private var screens: SessionCoordinator?
    private var waitingLink: DeepLink?
    private(set) var preparation: Task<Void, Never>?

    init(navigation: UINavigationController, sessions: SessionManager, logger: Logger) {
        self.navigation = navigation
        self.sessions = sessions
        self.logger = logger
    }

    /// Shows a splash, and the log-in after everything that the app requires has been built.
    func start() {
        show(SplashView())
        preparation = Task {
            do {
                try await DIContainer.current.prepare()
                show(LogInView())
            } catch {
                logger.log("\(error)")
                // Built instances are cached, so another attempt only builds the missing ones.
                show(SplashView { self.start() })
            }
        }
    }

    func open(_ link: DeepLink) {
        if let screens { screens.open(link) } else { waitingLink = link }
    }

    func logIn(user: String, code: String) async throws {
        let session = try await sessions.logIn(user: user, code: code)
        let screens = session.resolve(SessionCoordinator.self)
        self.screens = screens
        screens.open(waitingLink ?? .parcels)
        waitingLink = nil
    }

    func logOut() async {
        // The screens are released first, because none of them may use the session's container after it is closed.
        screens = nil
        show(LogInView())
        await sessions.logOut()
    }

    private func show(_ view: some View) {
        navigation.setViewControllers([UIHostingController(rootView: view)], animated: true)
    }
}
