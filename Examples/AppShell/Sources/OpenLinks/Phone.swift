import Foundation
import Parcels
import UIKit

/// A simulation of UIKit, which calls the app's delegates, and of a user in front of the screen.
final class Phone {
    private let application = UIApplication()
    private let delegate = AppDelegate()
    private let scene = UIWindowScene()
    private let sceneDelegate = SceneDelegate()
    private weak var shown: UIViewController?

    func start(with link: URL) {
        _ = delegate.application(application, didFinishLaunchingWithOptions: nil)
        let options = UIScene.ConnectionOptions(urlContexts: [UIOpenURLContext(url: link)])
        sceneDelegate.scene(scene, willConnectTo: UISceneSession(), options: options)
    }

    func open(_ link: URL) {
        sceneDelegate.scene(scene, openURLContexts: [UIOpenURLContext(url: link)])
    }

    func tap(_ title: String) { picture?.buttons[title]?() }
    func type(_ text: String, into title: String) { picture?.fields[title]?(text) }

    func show(_ event: String) {
        print(event)
        for line in picture?.lines ?? [] { print("    \(line)") }
    }

    /// Waits like a user in front of the screen, until no text indicates loading.
    func wait() async {
        repeat {
            // Work started by a tap runs on the main actor first.
            try? await Task.sleep(for: .milliseconds(1))
            if let top, shown !== top {
                shown = top
                await top.appear()
            }
        } while shown !== top || picture?.lines.contains { $0.hasSuffix("…") } == true
    }

    private var top: UIViewController? {
        (sceneDelegate.window?.rootViewController as? UINavigationController)?.topViewController
    }
    private var picture: Picture? { top?.picture }
}
