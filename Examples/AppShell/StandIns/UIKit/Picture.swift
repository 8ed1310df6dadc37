/// What is on the screen, as text. UIKit has nothing like it: the stand-ins draw themselves for tests and for a terminal.
@MainActor public struct Picture {
    public private(set) var lines: [String] = []
    /// What somebody could tap, and where they could type.
    public var buttons: [String: () -> Void] = [:]
    public var fields: [String: (String) -> Void] = [:]
    /// What has to run when the view appears.
    public var tasks: [() async -> Void] = []

    public mutating func write(_ text: String) {
        lines += text.split(separator: "\n").map(String.init)
    }
}

extension UIViewController {
    public var picture: Picture {
        var picture = Picture()
        draw(into: &picture)
        return picture
    }

    /// Lets the view appear, and waits for what it loads then.
    public func appear() async {
        for task in picture.tasks { await task() }
    }
}
