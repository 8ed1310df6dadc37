public import Foundation

// The part of UIKit that the app uses, with the same isolation. It exists on Linux only: see Package.swift.

@MainActor open class UIResponder {
    public init() {}
}

@MainActor public final class UIApplication: UIResponder {
    public struct LaunchOptionsKey: Hashable, Sendable {
        public let rawValue: String
    }
}

@MainActor public protocol UIApplicationDelegate: AnyObject {
    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
}

@MainActor public final class UISceneSession {
    public init() {}
}

@MainActor public final class UIOpenURLContext: Hashable {
    public let url: URL
    public init(url: URL) { self.url = url }
    public nonisolated static func == (left: UIOpenURLContext, right: UIOpenURLContext) -> Bool { left === right }
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@MainActor open class UIScene: UIResponder {
    @MainActor public final class ConnectionOptions {
        public let urlContexts: Set<UIOpenURLContext>
        public init(urlContexts: Set<UIOpenURLContext>) { self.urlContexts = urlContexts }
    }
}

@MainActor public final class UIWindowScene: UIScene {}

@MainActor public protocol UIWindowSceneDelegate: AnyObject {
    var window: UIWindow? { get set }
    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions)
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>)
}
