import DependencyInjection
import UIKit

/// Registers what the app is made of, before UIKit makes the first scene.
public final class AppDelegate: UIResponder, UIApplicationDelegate {
    // The delegate is created before anything is registered, so this is resolved at its first use.
    @LazyInject private var logger: Logger

    public override init() {
        super.init()
        DIContainer.register {
            Shared(mainActor: UINavigationController())
            Shared(autowiring: AppCoordinator.init, as: Router.self)
            // A factory may keep the container that it builds for.
            Shared(mainActor: { resolve in SessionKeeper(app: .current, service: resolve(), logger: resolve()) })
            Scoped(mainActor: { resolve in SessionCoordinator(navigation: resolve(), resolve: resolve) })
            Expected(Session.self)
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
