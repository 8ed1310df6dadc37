public import Foundation
public import UIKit

// The part of SwiftUI that the app uses, with the same isolation. It exists on Linux only: see Package.swift.

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

@MainActor @preconcurrency
public protocol PreviewProvider {
    associatedtype Previews: View
    @ViewBuilder @MainActor @preconcurrency static var previews: Previews { get }
}

extension Never: View {
    public var body: Never { fatalError("There is no such view.") }
}

public struct Text: Primitive {
    let drawing: Drawing
    public init(_ text: String) { drawing = { $0.write(text) } }
}

public struct ProgressView: Primitive {
    let drawing: Drawing
    public init(_ text: String) { drawing = { $0.write("\(text) …") } }
}

public struct Button: Primitive {
    let drawing: Drawing
    public init(_ title: String, action: @escaping @MainActor () -> Void) {
        drawing = { picture in
            picture.write("[\(title)]")
            picture.buttons[title] = action
        }
    }
}

public struct TextField: Primitive {
    let drawing: Drawing
    public init(_ title: String, text: Binding<String>) {
        drawing = { picture in
            picture.write("\(title): \(text.wrappedValue)_")
            picture.fields[title] = { text.wrappedValue = $0 }
        }
    }
}

public struct List<Content: View>: Primitive {
    let drawing: Drawing
    public init(@ViewBuilder content: () -> Content) {
        let content = content()
        drawing = { content.draw(into: &$0) }
    }
}

public struct ForEach<Data: RandomAccessCollection, Content: View>: Primitive where Data.Element: Identifiable {
    let drawing: Drawing
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        drawing = { picture in
            for element in data { content(element).draw(into: &picture) }
        }
    }
}

extension View {
    public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View {
        Drawn<Self> { picture in
            picture.tasks.append(action)
            draw(into: &picture)
        }
    }

    public func navigationTitle(_ title: String) -> some View {
        Drawn<Self> { picture in
            picture.write("== \(title) ==")
            draw(into: &picture)
        }
    }
}

/// A controller that shows a view.
public final class UIHostingController<Content: View>: UIViewController {
    public var rootView: Content

    public init(rootView: Content) {
        self.rootView = rootView
        super.init(nibName: nil, bundle: nil)
    }
    public required init?(coder: NSCoder) { nil }

    public override func draw(into picture: inout Picture) { rootView.draw(into: &picture) }
}
