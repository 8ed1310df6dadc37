/// A callable value that resolves a `T` later, with arguments, from the container that it was injected from.
///
/// ```swift
/// struct NoteList {
///     @Inject var makeDetail: Provider<DetailViewModel, Int>
///     func open(_ id: Int) -> DetailViewModel { makeDetail(id) }
/// }
/// ```
///
/// A provider needs no registration of its own. It may be called on any thread, or on the main actor only if `T` is
/// registered with `mainActor:`. A provider that is called after the initializer breaks a cycle, as a lazy wrapper
/// does. The provider retains the registrations of its container. It retains the instances only if it was created
/// directly in `withContainer` or `withOverrides`.
public struct Provider<T, each Argument>: Sendable {
    @usableFromInline let resolver: Resolver
    @usableFromInline let name: RegistrationName?
    /// The container, if the provider retains it together with its instances.
    private let container: DIContainer?

    init(resolver: Resolver, name: RegistrationName?, container: DIContainer?) {
        self.resolver = resolver
        self.name = name
        self.container = container
    }
}

extension Provider {
    /// Creates a provider that resolves from the current container. If the current container is the default one, the
    /// provider resolves from the container that is current at each call.
    public init(name: RegistrationName? = nil) {
        let remembered = CurrentContainer.remembered
        self.init(resolver: Resolver(core: remembered.core), name: name, container: remembered.container)
    }

    /// Resolves an instance. Traps with the text of the ``ResolutionError`` if resolving fails.
    @inlinable public func callAsFunction(
        _ arguments: repeat each Argument, file: StaticString = #fileID, line: UInt = #line
    ) -> T {
        do {
            return try resolver.orThrow(T.self, name: name, arguments: repeat each arguments, file: file, line: line)
        } catch { resolver.stopProgram(error, file, line) }
    }

    /// Resolves an instance, or throws a ``ResolutionError``.
    @inlinable public func orThrow(
        _ arguments: repeat each Argument, file: StaticString = #fileID, line: UInt = #line
    ) throws(ResolutionError) -> T {
        try resolver.orThrow(T.self, name: name, arguments: repeat each arguments, file: file, line: line)
    }
}

extension Provider: ImplicitlyResolvable {
    @usableFromInline
    static func resolveImplicitly(in core: ContainerCore, _ request: Request) throws -> any AnyBox {
        try request.refuseArguments()
        try core.checkOpen(request)
        let container = CurrentContainer.directContainer()
        return Box(
            Provider(
                resolver: Resolver(core: core), name: request.key.name,
                container: container?.core === core ? container : nil))
    }

    @usableFromInline static func isAvailable(in core: ContainerCore, _ name: RegistrationName?) -> Bool {
        core.isAvailable(T.self, name)
    }

    @usableFromInline static var derivation: Derivation {
        Derivation(kind: .provider, type: T.self, supplied: Types<repeat each Argument>.all)
    }
}
