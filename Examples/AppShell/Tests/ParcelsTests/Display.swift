import DependencyInjection
import SwiftUI
import UIKit

@testable import Parcels

/// The content of the screen. On Linux, a file that imports UIKit can't import Testing, because the compiler looks for
/// a cross-import overlay that only exists on Apple platforms.
struct Display {
    enum Screen: Equatable {
        case splash, logIn, parcels, settings
        case parcel(String?)
    }

    @Inject private var navigation: UINavigationController

    var screens: [Screen] {
        navigation.viewControllers.compactMap { controller in
            switch controller {
            case is UIHostingController<SplashView>: .splash
            case is UIHostingController<LogInView>: .logIn
            case is UIHostingController<ParcelListView>: .parcels
            case is UIHostingController<SettingsView>: .settings
            case is ParcelViewController: .parcel(controller.title)
            default: nil
            }
        }
    }

    func tryAgain() {
        (navigation.topViewController as? UIHostingController<SplashView>)?.rootView.retry?()
    }
}

#if os(Linux)
    /// Returns the text of a view that has appeared. Only the stand-ins can be drawn in this way.
    func lines(of view: some View) async -> [String] {
        let controller = UIHostingController(rootView: view)
        await controller.appear()
        return controller.picture.lines
    }
#endif
