import DependencyInjection
import SwiftUI
import UIKit

/// Leads from the splash to the log-in, and from there to the screens of a session and back.
final class AppCoordinator: Router {
    private let navigation: UINavigationController
    private let sessions: SessionKeeper
    private let logger: Logger
    private var screens: SessionCoordinator?
    private var waitingLink: DeepLink?
    private(set) var preparation: Task<Void, Never>?

    init(navigation: UINavigationController, sessions: SessionKeeper, logger: Logger) {
        self.navigation = navigation
        self.sessions = sessions
        self.logger = logger
    }

    /// Shows a splash, and the log-in as soon as everything is built that the app cannot do without.
    func start() {
        show(SplashView())
        preparation = Task {
            do {
                try await DIContainer.current.prepare()
                show(LogInView())
            } catch {
                logger.log("\(error)")
                // What has been built is kept, so another attempt builds only what is missing.
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
        // The screens go first: none of them may ask the session's container when it is closed.
        screens = nil
        show(LogInView())
        await sessions.logOut()
    }

    private func show(_ view: some View) {
        navigation.setViewControllers([UIHostingController(rootView: view)], animated: true)
    }
}
