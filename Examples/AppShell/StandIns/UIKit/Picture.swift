/// The content of the screen as text. UIKit has no such type: the stand-ins draw themselves for tests and for a
/// terminal.
@MainActor public struct Picture {
    public private(set) var lines: [String] = []
    /// The buttons that a user can tap, and the fields that a user can type in.
    public var buttons: [String: () -> Void] = [:]
    public var fields: [String: (String) -> Void] = [:]
    /// The tasks to run when the view appears.
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

    /// Makes the view appear, and waits for its tasks.
    public func appear() async {
        for task in picture.tasks { await task() }
    }
}
