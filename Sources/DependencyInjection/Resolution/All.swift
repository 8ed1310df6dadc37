/// A collection of the instances of all registrations of a type: `@Inject var plugins: All<Plugin>`.
///
/// ```swift
/// struct PluginMenu {
///     @Inject var plugins: All<Plugin>
///     var titles: [String] { plugins.map(\.title) }
/// }
/// ```
///
/// The collection holds the instances that ``Resolver/all(_:name:file:line:)`` returns when the collection is resolved.
/// It needs no registration. With `@Inject(name:)`, it holds only the instance registered under that name.
public struct All<Element>: RandomAccessCollection {
    @usableFromInline let elements: [Element]

    /// The position of the first element.
    public var startIndex: Int { elements.startIndex }
    /// The position after the last element.
    public var endIndex: Int { elements.endIndex }
    /// The element at a position.
    public subscript(position: Int) -> Element { elements[position] }
}

extension All: Sendable where Element: Sendable {}

extension All: ImplicitlyResolvable {
    @usableFromInline
    static func resolveImplicitly(in core: ContainerCore, _ request: Request) throws -> any AnyBox {
        try request.refuseArguments()
        // All elements belong to one graph.
        let thread = try core.pushFrame(request)
        defer { thread.pop() }
        let name = request.key.name
        let entries = core.visibleEntries {
            $0.key.type == ObjectIdentifier(Element.self) && (name == nil || $0.key.name == name)
        }
        if entries.isEmpty { try core.checkSelfAndParentsOpen(request) }
        let elements = try entries.compactMap {
            // Nil if another thread has unregistered the type.
            try core.resolve(request.forwarded(to: Element.self, $0.key))?.box.value(as: Element.self)
        }
        return Box(All(elements: elements))
    }

    @usableFromInline static func isAvailable(in core: ContainerCore, _ name: RegistrationName?) -> Bool { true }

    @usableFromInline static var derivation: Derivation { Derivation(kind: .all, type: Element.self) }
}

extension Resolver {
    /// Resolves every registration of a type, named and unnamed, in the order of registration.
    ///
    /// ```swift
    /// let plugins: [Plugin] = DIContainer.resolve.all(Plugin.self)
    /// ```
    /// Returns an empty array if nothing is registered. With a name, the array holds at most one instance, the one
    /// registered under that name here or in a parent.
    ///
    /// A child's registrations come before the parent's, without those that the child overrides. The call takes time
    /// proportional to the number of all registrations and traps if resolving fails.
    public func all<T>(
        _ type: T.Type, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> [T] {
        do { return try orThrow.all(type, name: name, file: file, line: line) } catch {
            stopProgram(error, file, line)
        }
    }
}

extension ThrowingResolver {
    /// Resolves every registration of a type, or only the one with the given name. Returns an empty array if there is
    /// none.
    public func all<T>(
        _ type: T.Type, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line
    ) throws(ResolutionError) -> [T] {
        let request = Request(All<T>.self, name, [], file: file, line: line)
        return try resolver.container.box(for: request).value(as: All<T>.self).elements
    }
}
