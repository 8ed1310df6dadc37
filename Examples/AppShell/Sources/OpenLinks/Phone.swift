import Foundation
import Parcels
import UIKit

/// Does what UIKit does with the delegates of the app, and what somebody does in front of the screen.
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

    /// Waits as somebody in front of the screen would, until nothing says any more that it is loading.
    func wait() async {
        repeat {
            // What was begun by a tap takes its turn on the main actor first.
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
