/// A registration of a type: how to build the instance, and how long it lives.
///
/// ``Shared``, ``New``, ``Weak``, ``Scoped``, ``Graph``, ``Decorate``, ``ProvidedByChild`` and ``Module`` create
/// registrations. Error messages and listings show them. A registration is immutable and holds no instance, so the same
/// registration, for example in a `static let` module, can be used in any number of containers on any thread.
public final class Registration: Sendable, CustomStringConvertible {
    /// The effect of a request for the registration's key. Only the factory itself has static types.
    enum Kind: Sendable {
        case factory(any AnyFactory)
        case asyncFactory(@Sendable (Resolver, ArgumentList) async throws -> any AnyBox)
        /// Fails at every request.
        case refused(RefusedInitializer)
        /// Forwards to the key of another registration, in the requesting container.
        case alias(Registration)
        /// Wraps the registration of the key instead of providing an instance itself.
        case decorator(@Sendable (any AnyBox, Resolver) throws -> any AnyBox)
        /// Declares that children register the type. It has a key of its own, which no request matches.
        case declaration
    }

    /// The dependencies of a factory, as far as they are known before the factory runs.
    @usableFromInline package enum Dependencies: Sendable {
        /// The parameters of an autowired initializer. Empty for a registration that builds nothing.
        case declared([any Any.Type])
        /// The unknown dependencies of an expression or of a closure without parameters, which may have wrapped
        /// properties or resolve from the current container.
        case hidden
        /// The unknown dependencies of a closure that receives the resolver.
        case requested
    }

    // In this order, the properties take the least memory.
    let kind: Kind
    /// The lifetime of the instance. An alias has the lifetime of the registration that declares it. `nil` for a
    /// decorator, which has the lifetime of the registration it wraps, and for a ``ProvidedByChild`` declaration.
    public let lifetime: Lifetime?
    /// Whether the factory or the decorator runs on the main actor only. False for an alias, because a later
    /// registration may replace its target.
    public let isMainActor: Bool
    package let key: Key
    /// The registered type, which requests name.
    public let type: any Any.Type
    /// The types of the arguments that the factory takes.
    package let argumentTypes: [any Any.Type]
    package let knownDependencies: Dependencies
    /// The name of the innermost named ``Module`` that contains the registration.
    public let module: String?
    /// The `onClose` handlers, in the order in which they were written.
    let closeHandlers: [CloseHandler]
    package let site: CallSite
    /// An identifier that only copies and aliases of this registration share.
    private let uniqueID: UInt

    /// The name that distinguishes this registration from others of its type.
    public var name: RegistrationName? { key.name }
    /// The file of the registration, as `Module/File.swift`.
    public var file: String { site.file.description }
    /// The line of the registration.
    public var line: UInt { site.line }

    init(
        _ type: any Any.Type, _ name: RegistrationName?, _ kind: Kind, lifetime: Lifetime?, isMainActor: Bool = false,
        arguments: [any Any.Type] = [], dependencies: Dependencies = .declared([]), module: String? = nil,
        key: Key? = nil, closeHandlers: [CloseHandler] = [], _ site: CallSite, uniqueID: UInt = UniqueID.next()
    ) {
        self.kind = kind
        self.key = key ?? Key(registering: type, name)
        self.type = type
        self.lifetime = lifetime
        self.isMainActor = isMainActor
        argumentTypes = arguments
        knownDependencies = dependencies
        self.module = module
        self.closeHandlers = closeHandlers
        self.site = site
        self.uniqueID = uniqueID
    }

    /// Returns an alias or a contribution that forwards to this registration. The alias doesn't record whether the
    /// target is isolated to the main actor, because the target may be replaced before a request.
    func alias(_ type: any Any.Type, key: Key? = nil) -> Registration {
        Registration(type, name, .alias(self), lifetime: lifetime, key: key, site, uniqueID: uniqueID)
    }

    /// Returns a box with the same instance as the type of this alias, or `nil` if the instance isn't of that type.
    func converted(_ box: any AnyBox) -> (any AnyBox)? {
        // `as?` would look up the metadata of the Optional at run time.
        func converted<T>(_ type: T.Type) -> (any AnyBox)? {
            switch box.instance {
            case let view as T: Box(view)
            default: nil
            }
        }
        return _openExistential(type, do: converted)
    }

    /// Returns a copy that belongs to a named module, or this registration if it already belongs to one.
    func inModule(_ name: String?) -> Registration { name == nil || module != nil ? self : copy(module: name) }

    /// Returns a copy with another module or key, or with one more `onClose` handler.
    func copy(module: String? = nil, key: Key? = nil, handler: CloseHandler? = nil) -> Registration {
        Registration(
            type, name, kind, lifetime: lifetime, isMainActor: isMainActor, arguments: argumentTypes,
            dependencies: knownDependencies, module: module ?? self.module, key: key ?? self.key,
            closeHandlers: closeHandlers + (handler.map { [$0] } ?? []), site, uniqueID: uniqueID)
    }

    /// Whether both registrations of a key are copies of the same one, regardless of module. Two ``ProvidedByChild``
    /// declarations of a key are always the same.
    func isSame(as other: Registration) -> Bool { uniqueID == other.uniqueID || isProvidedByChild }

    /// The file, line and module of the registration, for messages.
    package var place: String {
        module.map { "\(site) in module \($0.debugDescription)" } ?? "\(site)"
    }

    /// The verb for that place in messages.
    package var verb: String { isProvidedByChild ? "declared" : isContribution ? "contributed" : "registered" }

    /// The type, the lifetime and the place of the registration.
    public var description: String {
        let what =
            if case .alias(let target) = kind {
                "\(isContribution ? "contribution" : "alias") of \(TypeNameFormatter(disambiguating: [type]).text(target.id))"
            } else {
                lifetime?.description ?? (isProvidedByChild ? "provided by a child" : "decorator")
            }
        return "\(id): \(what), \(verb) at \(place)"
    }

    /// The types of the parameters that an autowired initializer declares.
    package var dependencies: [any Any.Type] {
        if case .declared(let types) = knownDependencies { types } else { [] }
    }
    /// Whether the registration has `onClose` handlers.
    var hasCloseHandlers: Bool { !closeHandlers.isEmpty }
    /// Whether the factory takes arguments.
    var takesArguments: Bool { !argumentTypes.isEmpty }

    /// Whether the registration is a decorator, which wraps the registration of its key.
    package var isDecorator: Bool {
        if case .decorator = kind { true } else { false }
    }

    /// The registration to which an alias forwards. `nil` for any other registration.
    package var aliasTarget: Registration? {
        if case .alias(let target) = kind { target } else { nil }
    }

    /// Whether the registration forwards to another one.
    package var isAlias: Bool { aliasTarget != nil }

    /// Whether the registration belongs to the collection of its type, and no request for the type resolves it.
    package var isContribution: Bool { key.isContribution }

    /// Whether the registration only declares that children register the type.
    package var isProvidedByChild: Bool {
        if case .declaration = kind { true } else { false }
    }

    /// The reason why every request fails, or `nil` if no such reason is known in advance.
    package var refusal: RefusedInitializer? {
        if case .refused(let refusal) = kind { refusal } else { nil }
    }

    /// Whether the factory is asynchronous.
    package var isAsync: Bool {
        if case .asyncFactory = kind { true } else { false }
    }
}
