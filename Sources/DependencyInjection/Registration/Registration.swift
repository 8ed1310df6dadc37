/// Describes one registration: the type that it answers, how to build it, and how long the instance lives.
///
/// ``Shared``, ``New``, ``Weak``, ``Scoped``, ``Graph``, ``Decorate``, ``Expected`` and ``Module`` make registrations; this type
/// is what they have in common, and what messages show. A registration is immutable and holds no instance, so one
/// registration, say in a `static let` module, can serve any number of containers on any thread.
public final class Registration: Sendable, CustomStringConvertible {
    /// What a registration does when its key is asked for. Only the factory itself knows static types.
    enum Kind: Sendable {
        case factory(any AnyFactory)
        case asyncFactory(@Sendable (Resolver, ArgumentList) async throws -> any AnyBox)
        /// Fails at every request.
        indirect case refused(RefusedInitializer)
        /// Forwards to the key of another registration, in the container that is asked.
        case alias(Registration)
        /// Wraps what is registered for the key, rather than being registered itself.
        case decorator(@Sendable (any AnyBox, Resolver) throws -> any AnyBox)
        /// Declares that children register the type. It has a key of its own, which nobody asks for.
        case declaration
    }

    /// The dependencies of a factory, as far as they are known before it runs.
    enum Dependencies: Sendable {
        /// An autowired initializer declares them by its parameters. There are none if nothing is built.
        case declared([any Any.Type])
        /// An expression, or a closure without parameters, may resolve by wrappers or from the current container.
        case hidden
        /// A closure gets the resolver.
        case requested
    }

    // The properties take the least room in this order.
    let kind: Kind
    /// How long the instance lives; an alias has the lifetime of the registration that it was made for. It is nil for a
    /// decorator, which keeps the lifetime of what it wraps, and for what is only expected.
    public let lifetime: Lifetime?
    /// Whether it is built and resolved on the main actor only.
    public let isMainActor: Bool
    package let key: Key
    /// The type asked for.
    public let type: any Any.Type
    /// The types of the arguments that the factory takes.
    package let argumentTypes: [any Any.Type]
    private let knownDependencies: Dependencies
    /// The name of the innermost named ``Module`` that it was written in.
    public var module: String? { moduleName?.value }
    /// Shared by the registrations of the module.
    private let moduleName: Box<String>?
    /// The `onClose` handlers, in the order in which they were written.
    let closeHandlers: [CloseHandler]
    let site: CallSite
    /// Tells it from every registration but its copies and aliases.
    private let serial: UInt

    /// The name that tells it from other registrations of its type.
    public var name: RegistrationName? { key.name }
    /// The file in which it was written, as `Module/File.swift`.
    public var file: String { site.file.description }
    /// The line on which it was written.
    public var line: UInt { site.line }

    init(
        _ type: any Any.Type, _ name: RegistrationName?, _ kind: Kind, lifetime: Lifetime?, isMainActor: Bool = false,
        arguments: [any Any.Type] = [], dependencies: Dependencies = .declared([]), module: Box<String>? = nil,
        closeHandlers: [CloseHandler] = [], _ site: CallSite, serial: UInt = UniqueID.next()
    ) {
        self.kind = kind
        key =
            if case .declaration = kind { Key(declarationOf: type, name) } else {
                Key(registering: type, name)
            }
        self.type = type
        self.lifetime = lifetime
        self.isMainActor = isMainActor
        argumentTypes = arguments
        knownDependencies = dependencies
        moduleName = module
        self.closeHandlers = closeHandlers
        self.site = site
        self.serial = serial
    }

    /// Makes an alias that forwards to this registration. At a request, the target says whether it belongs to the main
    /// actor, since it may have been replaced by then.
    func alias(_ type: any Any.Type) -> Registration {
        Registration(type, name, .alias(self), lifetime: lifetime, site, serial: serial)
    }

    /// Boxes the same instance under the type of this alias; nil if it is not of that type.
    func converted(_ box: any AnyBox) -> (any AnyBox)? {
        // `as?` would ask the run time for the type of the Optional.
        func converted<T>(_ type: T.Type) -> (any AnyBox)? {
            switch box.instance {
            case let view as T: Box(view)
            default: nil
            }
        }
        return _openExistential(type, do: converted)
    }

    /// The same registration as a part of a named module, unless it is part of one already.
    func inModule(_ name: Box<String>?) -> Registration {
        guard let name, moduleName == nil else { return self }
        return copy(module: name, closeHandlers)
    }

    /// The same registration with one more `onClose` handler.
    func adding(_ handler: CloseHandler) -> Registration { copy(module: moduleName, closeHandlers + [handler]) }

    private func copy(module: Box<String>?, _ closeHandlers: [CloseHandler]) -> Registration {
        Registration(
            type, key.name, kind, lifetime: lifetime, isMainActor: isMainActor, arguments: argumentTypes,
            dependencies: knownDependencies, module: module, closeHandlers: closeHandlers, site, serial: serial)
    }

    /// Whether this is the other registration of the key, or the same in another module. Declarations of one key are all the same.
    func isSame(as other: Registration) -> Bool { serial == other.serial || isExpectation }

    /// The place where it was written, for messages.
    var place: String {
        module.map { "\(site) in module \($0.debugDescription)" } ?? "\(site)"
    }

    /// What was done at that place.
    var verb: String { isExpectation ? "declared" : "registered" }

    /// What is registered, how long it lives, and where that was written.
    public var description: String {
        let what =
            if case .alias(let target) = kind { "alias of \(Namesakes([type]).text(target.label))" } else {
                lifetime?.description ?? (isExpectation ? "expected" : "decorator")
            }
        return "\(label): \(what), \(verb) at \(place)"
    }

    /// The types that its title in listings shows.
    package var typesInTitle: [any Any.Type] { [type] + argumentTypes }
    /// The types of the parameters that an autowired initializer declares.
    package var dependencies: [any Any.Type] {
        if case .declared(let types) = knownDependencies { types } else { [] }
    }
    /// Whether its dependencies show only when it is built.
    ///
    /// An expression may be a literal, and then it has none. The library only knows this by the type.
    package var isOpaque: Bool {
        switch knownDependencies {
        case .declared: false
        case .hidden: !isMadeByLiterals(type)
        case .requested: true
        }
    }
    /// Whether the factory takes arguments.
    var takesArguments: Bool { !argumentTypes.isEmpty }

    /// Whether it wraps what is registered for its key, rather than being registered itself.
    package var isDecorator: Bool {
        if case .decorator = kind { true } else { false }
    }

    /// Whether it forwards to another registration.
    package var isAlias: Bool {
        if case .alias = kind { true } else { false }
    }

    /// Whether it only declares that children register the type.
    package var isExpectation: Bool {
        if case .declaration = kind { true } else { false }
    }

    /// Why every request for it fails; nil if that is not known beforehand.
    package var refusal: RefusedInitializer? {
        if case .refused(let refusal) = kind { refusal } else { nil }
    }

    /// Whether only `await` can build it.
    package var isAsync: Bool {
        if case .asyncFactory = kind { true } else { false }
    }
}

extension Key {
    /// The key of what is registered for a type and a name.
    init(registering type: any Any.Type, _ name: RegistrationName?) {
        // A request for `T?` asks for `T`, and an Optional that was registered must not get in its way. (The check is the
        // standard library's own; a cast to a protocol would search for a conformance of every type registered.)
        func answered<T>(_ type: T.Type) -> ObjectIdentifier {
            _isOptional(type) ? ObjectIdentifier(Unanswered<T>.self) : ObjectIdentifier(type)
        }
        self.init(_openExistential(type, do: answered), name)
    }
}

/// Replaces an Optional type in the key of its registration, so that nobody can ask for it.
private enum Unanswered<T> {}
