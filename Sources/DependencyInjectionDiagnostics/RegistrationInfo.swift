public import DependencyInjection

/// A snapshot of a registration in a container: its type, lifetime and source location.
///
/// The snapshot is immutable. It retains the registration, but not the instance.
public struct RegistrationInfo: Sendable, CustomStringConvertible {
    let snapshot: RegistrationSnapshot
    /// The further types that resolve to the instance.
    let aliasTypes: [any Any.Type]
    /// The types to whose collections the instance is contributed.
    let collectionTypes: [any Any.Type]
    /// Formats the names of all types in the same list.
    let typeNames: TypeNameFormatter

    /// The registration of the key: a factory, an alias, a declaration or, if nothing is registered, the first
    /// decorator.
    var registration: Registration { snapshot.registration }
    /// The type and the name that were registered.
    var id: DependencyID { registration.id }
    /// The same as ``registration``.
    var base: Registration { snapshot.base }

    /// The further types that resolve to the instance, as written in code.
    public var aliases: [String] { aliasTypes.map(TypeName.short) }
    /// The types to whose collections the instance is contributed with `.into`, as written in code.
    public var collections: [String] { collectionTypes.map(TypeName.short) }
    /// The requested type.
    public var type: any Any.Type { base.type }
    /// The name that distinguishes the registration from others of its type.
    public var name: RegistrationName? { base.name }
    /// The type and the name, such as `any Router named "main"`.
    public var key: String { base.id.description }
    /// The types of the arguments that the factory takes.
    public var arguments: [any Any.Type] { snapshot.maker.argumentTypes }
    /// Whether the dependencies are only known when the registration is built: see
    /// ``DependencyGraph/uncheckedRegistrations``.
    public var isUnchecked: Bool { base.isUnchecked || !snapshot.decorators.isEmpty }
    /// The lifetime of the instance. `nil` for a type provided by a child, and for a decorator without a registration.
    public var lifetime: Lifetime? { snapshot.maker.lifetime }
    /// Whether it only declares, with ``/DependencyInjection/ProvidedByChild``, that children register the type.
    public var isProvidedByChild: Bool { snapshot.isProvidedByChild }
    /// The decorators that wrap the instance, innermost first.
    public var decorators: [Registration] { snapshot.decorators }
    /// The name of the module that contains the registration.
    public var module: String? { base.module }
    /// Whether this container or the parent that owns the registration had a cached instance.
    public var isBuilt: Bool { snapshot.isBuilt }
    /// Whether a parent owns the registration.
    public var isInherited: Bool { snapshot.isInherited }
    /// Whether the factory is asynchronous, so that building it requires `await`.
    public var isAsync: Bool { snapshot.maker.isAsync }
    /// Whether it can be built and resolved on the main actor only.
    public var isMainActor: Bool { snapshot.isMainActor }
    /// The file that contains the registration, as `Module/File.swift`.
    public var file: String { base.file }
    /// The line of the registration.
    public var line: UInt { base.line }
    /// The source location of the registration that it replaced in the same container.
    public var replaced: String? { snapshot.replaced }

    /// The registration on one line, with qualified type names where the list needs them.
    public var description: String {
        let relations = [("as", aliasTypes), ("into", collectionTypes)].filter { !$0.1.isEmpty }
        return snapshot.line(
            typeNames, relations: relations.map { " \($0) \(typeNames.list($1))" }.joined())
    }
}

extension Registration {
    /// Whether the dependencies can't be known before the instance is built.
    var isUnchecked: Bool {
        switch knownDependencies {
        case .declared: false
        // A literal expression has no dependencies. The type is the only way to recognize one.
        case .hidden: !(String(reflecting: type).hasPrefix("Swift.") && type is any LosslessStringConvertible.Type)
        case .requested: true
        }
    }
}
