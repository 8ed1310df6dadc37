import DependencyInjection
import Foundation
import UIKit

/// The scene delegate, which shows the app in a window and forwards links. UIKit creates it, so it injects its
/// dependencies.
public final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    public var window: UIWindow?

    @LazyInject private var navigation: UINavigationController
    @LazyInject private var coordinator: AppCoordinator
    @LazyInject private var router: Router
    @LazyInject private var logger: Logger

    public func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
        guard let scene = scene as? UIWindowScene else { return }
        let window = UIWindow(windowScene: scene)
        window.rootViewController = navigation
        window.makeKeyAndVisible()
        self.window = window
        open(options.urlContexts)
        // UIKit may disconnect and reconnect the scene while the app is running.
        if navigation.viewControllers.isEmpty { coordinator.start() }
    }

    public func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        open(contexts)
    }

    private func open(_ contexts: Set<UIOpenURLContext>) {
        for url in contexts.map(\.url) {
            if let link = DeepLink(url) { router.open(link) } else { logger.log("no place in the app: \(url)") }
        }
    }
}
