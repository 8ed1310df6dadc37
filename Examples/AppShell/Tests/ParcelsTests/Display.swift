import DependencyInjection
import SwiftUI
import UIKit

@testable import Parcels

/// The contents of the screen. A file that imports UIKit cannot import Testing on Linux, where the compiler needs an
/// overlay of the two which only Apple's platforms have.
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
    /// The text of a view that has appeared. Only the stand-ins can draw in this way.
    func lines(of view: some View) async -> [String] {
        let controller = UIHostingController(rootView: view)
        await controller.appear()
        return controller.picture.lines
    }
#endif
