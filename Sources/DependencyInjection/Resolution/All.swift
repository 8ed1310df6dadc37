/// Everything that is registered for a type, for injection: `@Inject var plugins: All<Plugin>`.
///
/// ```swift
/// struct PluginMenu {
///     @Inject var plugins: All<Plugin>
///     var titles: [String] { plugins.map(\.title) }
/// }
/// ```
///
/// It is a collection of what ``Resolver/all(_:file:line:)`` returned when it was resolved, and needs no registration.
/// With `@Inject(name:)` it holds what is registered under that name only.
public struct All<Element>: RandomAccessCollection {
    private let elements: [Element]

    init(_ elements: [Element]) { self.elements = elements }

    /// The position of the first element.
    public var startIndex: Int { elements.startIndex }
    /// The position after the last element.
    public var endIndex: Int { elements.endIndex }
    /// The element at a position.
    public subscript(position: Int) -> Element { elements[position] }
}

extension All: Sendable where Element: Sendable {}

extension All: Synthesized {
    @usableFromInline
    static func synthesize(in core: ContainerCore, _ request: Request) throws(ResolutionError) -> Self {
        try request.refuseArguments(in: core)
        return All(try core.resolveAll(Element.self, request, named: request.key.name))
    }

    @usableFromInline
    static func makeAsync(in core: ContainerCore, _ request: Request) async throws -> Self {
        try request.refuseArguments(in: core)
        var elements: [Element] = []
        for key in core.visibleKeys(Element.self, named: request.key.name) {
            elements.append(try await core.resolveAsync(Element.self, request.forwarded(to: Element.self, key)))
        }
        return All(elements)
    }

    @usableFromInline
    static func isAvailable(in core: ContainerCore, _ name: RegistrationName?) -> Bool { true }
}

extension Resolver {
    /// Resolves every registration of a type, named and unnamed, in the order of registration; none is an empty array.
    ///
    /// ```swift
    /// let plugins: [Plugin] = DIContainer.resolve.all(Plugin.self)
    /// ```
    /// A child's registrations come before those of its parent that it does not override. It takes time in proportion to
    /// the number of all registrations, and fails as the plain forms do.
    public func all<T>(_ type: T.Type, file: StaticString = #fileID, line: UInt = #line) -> [T] {
        do { return try orThrow.all(type, file: file, line: line) } catch { error.trap(file: file, line: line) }
    }
}

extension ThrowingResolver {
    /// Resolves every registration of a type, named and unnamed, in the order of registration; none is an empty array.
    public func all<T>(
        _ type: T.Type, file: StaticString = #fileID, line: UInt = #line
    ) throws(ResolutionError) -> [T] {
        try resolver.container.resolveAll(type, Request(type, nil, [], file: file, line: line), named: nil)
    }
}
