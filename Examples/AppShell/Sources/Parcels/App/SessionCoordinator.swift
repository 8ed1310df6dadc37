import DependencyInjection
import SwiftUI
import UIKit

/// Shows the screens of the current user. It resolves from the container of the session, which built it.
final class SessionCoordinator {
    private let navigation: UINavigationController
    private let resolve: Resolver
    private lazy var list = UIHostingController(rootView: ParcelListView(model: resolve()))

    init(navigation: UINavigationController, resolve: Resolver) {
        self.navigation = navigation
        self.resolve = resolve
    }

    func open(_ link: DeepLink) {
        switch link {
        case .parcels:
            show()
        case .parcel(let id):
            let model: ParcelModel = resolve(id)
            show(ParcelViewController(model: model))
        case .settings:
            show(UIHostingController(rootView: SettingsView(model: resolve())))
        }
    }

    /// Shows a screen above the list, or the list alone.
    private func show(_ screens: UIViewController...) {
        navigation.setViewControllers([list] + screens, animated: true)
    }
}
