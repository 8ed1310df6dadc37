import DependencyInjection
import UIKit

/// The app delegate, which registers the app's modules before UIKit creates the first scene.
public final class AppDelegate: UIResponder, UIApplicationDelegate {
    // The delegate is created before any type is registered, so this property resolves on first access.
    @LazyInject private var logger: Logger

    public override init() {
        super.init()
        DIContainer.register {
            Shared(mainActor: UINavigationController())
            Shared(autowiring: AppCoordinator.init, as: Router.self)
            // A factory may store a reference to the container that it builds for.
            Shared(mainActor: { resolve in SessionManager(app: .current, service: resolve(), logger: resolve()) })
            Scoped(mainActor: { resolve in SessionCoordinator(navigation: resolve(), resolve: resolve) })
            ProvidedByChild(Session.self)
            LogInFeature.module
            ParcelsFeature.module
            SettingsFeature.module
        }
    }

    public func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        logger.log("launched")
        return true
    }
}
