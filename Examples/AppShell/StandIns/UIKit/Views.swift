public import Foundation

@MainActor public final class UIColor {
    public static let systemBackground = UIColor()
}

@MainActor open class UIView: UIResponder {
    public var backgroundColor: UIColor?
    func draw(into picture: inout Picture) {}
}

@MainActor public final class UILabel: UIView {
    public var text: String?
    public var numberOfLines = 1
    override func draw(into picture: inout Picture) { picture.write(text ?? "") }
}

@MainActor public final class UIWindow: UIView {
    public var rootViewController: UIViewController?
    public init(windowScene: UIWindowScene) {}
    public func makeKeyAndVisible() {}
}

@MainActor open class UIViewController: UIResponder {
    public var title: String?
    private var content: UIView?

    public override init() {}
    public init(nibName: String?, bundle: Bundle?) {}
    public required init?(coder: NSCoder) {}

    /// The view, which is loaded on first access, as in UIKit.
    public var view: UIView! {
        get {
            if content == nil {
                loadView()
                viewDidLoad()
            }
            return content
        }
        set { content = newValue }
    }

    open func loadView() { view = UIView() }
    open func viewDidLoad() {}

    open func draw(into picture: inout Picture) {
        if let title { picture.write("== \(title) ==") }
        view.draw(into: &picture)
    }
}

@MainActor public final class UINavigationController: UIViewController {
    public private(set) var viewControllers: [UIViewController] = []
    public var topViewController: UIViewController? { viewControllers.last }

    public func setViewControllers(_ controllers: [UIViewController], animated: Bool) { viewControllers = controllers }
    public override func draw(into picture: inout Picture) { topViewController?.draw(into: &picture) }
}
