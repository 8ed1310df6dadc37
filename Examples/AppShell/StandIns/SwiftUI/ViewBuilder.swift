import UIKit

typealias Drawing = @MainActor (inout Picture) -> Void

/// A view that draws itself instead of consisting of other views.
@MainActor
protocol Primitive: View where Body == Never {
    var drawing: Drawing { get }
}

extension Primitive {
    public var body: Never { fatalError("\(Self.self) draws itself.") }
}

extension View {
    func draw(into picture: inout Picture) {
        if let primitive = self as? any Primitive { primitive.drawing(&picture) } else { body.draw(into: &picture) }
    }
}

/// A view that modifiers and builders return.
public struct Drawn<Content>: Primitive {
    let drawing: Drawing
    init(_ drawing: @escaping Drawing) { self.drawing = drawing }
}

// SwiftUI's builder isn't isolated, but everything that the app builds with it belongs to the main actor.
@resultBuilder @MainActor
public enum ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> Drawn<(repeat each Content)> {
        Drawn { picture in
            for view in repeat each content { view.draw(into: &picture) }
        }
    }
    public static func buildEither<First: View, Second: View>(first: First) -> Drawn<(First, Second)> {
        Drawn { first.draw(into: &$0) }
    }
    public static func buildEither<First: View, Second: View>(second: Second) -> Drawn<(First, Second)> {
        Drawn { second.draw(into: &$0) }
    }
}
