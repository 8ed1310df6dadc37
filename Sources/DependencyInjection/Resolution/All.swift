/// A collection of the instances of all registrations of a type and of all contributions to it:
/// `@Inject var plugins: All<Plugin>`.
///
/// ```swift
/// struct PluginMenu {
///     @Inject var plugins: All<Plugin>
///     var titles: [String] { plugins.map(\.title) }
/// }
/// ```
///
/// The collection holds the instances that ``Resolver/all(_:name:file:line:)`` returns when the collection is resolved.
/// It needs no registration. With `@Inject(name:)`, it holds only the instances registered under that name.
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
        Box(All(elements: try core.collection(of: Element.self, request)))
    }

    @usableFromInline static func isAvailable(in core: ContainerCore, _ name: RegistrationName?) -> Bool { true }

    @usableFromInline static var derivation: Derivation { Derivation(kind: .all, type: Element.self) }
}

/// An array resolves to the collection of its element type if that type has contributions.
extension Array: ImplicitlyResolvable {
    @usableFromInline
    static func resolveImplicitly(in core: ContainerCore, _ request: Request) throws -> any AnyBox {
        guard isAvailable(in: core, request.key.name) else {
            try core.checkSelfAndParentsOpen(request)
            throw ResolutionError(request, .notRegistered, in: core)
        }
        return Box(try core.collection(of: Element.self, request))
    }

    @usableFromInline static func isAvailable(in core: ContainerCore, _ name: RegistrationName?) -> Bool {
        name == nil && core.hasContributions(to: Element.self)
    }

    @usableFromInline static var derivation: Derivation { Derivation(kind: .array, type: Element.self) }
}

extension Resolver {
    /// Resolves every registration of a type, named and unnamed, and every contribution to it, in the order of
    /// registration.
    ///
    /// ```swift
    /// let plugins: [Plugin] = DIContainer.resolve.all(Plugin.self)
    /// ```
    /// Returns an empty array if nothing is registered. With a name, the array holds the instance registered under that
    /// name, here or in a parent, and the contributions with that name: see ``Shared/into(_:)``.
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
    /// Resolves every registration of a type and every contribution to it, or only those with the given name. Returns
    /// an empty array if there is none.
    public func all<T>(
        _ type: T.Type, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line
    ) throws(ResolutionError) -> [T] {
        let request = Request(All<T>.self, name, [], file: file, line: line)
        return try resolver.container.box(for: request).value(as: All<T>.self).elements
    }
}
