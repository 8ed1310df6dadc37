public import DependencyInjection

/// A list of every injected property in the program, with the registrations that a container lacks for them.
///
/// ```swift
/// import DependencyInjection
/// import DependencyInjectionTesting
///
/// let audit = InjectionAudit.run(app, modules: ["App"])
/// for property in audit.missing {
///     print(property)         // App.Screen.router: @Inject any Router (not registered)
/// }
/// ```
///
/// The audit reads the type metadata that the compiler emits, so it runs no code of these types and builds nothing. It
/// finds all stored properties with one of the four wrappers, in classes, actors and structs of all loaded images, even
/// if these types are private, nested or never used. In a test, use
/// ``expectEveryInjectionIsRegistered(in:modules:allowing:where:sourceLocation:)``.
///
/// The audit can't find:
///
/// - The type of a property in a generic type. It is listed in ``unknown``.
/// - The name and the container in `@Inject(name: …, from: …)`. If all registrations of the type have names, the
///   property is listed in ``byNameOnly``. A property with `from:` is checked against the audited container.
/// - The dependencies of factories.
/// - Static and local properties, properties inside another wrapper, and properties of noncopyable types.
/// - The enclosing type of a type that is declared in an extension of a generic type.
/// - Types that the optimizer has removed, such as unused private types in release builds.
/// - Modules that are compiled with `-disable-reflection-metadata`.
///
/// > Note: The audit has only been tested on Linux. On Apple platforms, it reads the same metadata but locates it
/// > differently.
public struct InjectionAudit: Sendable, CustomStringConvertible {
    /// All injected properties, sorted by their paths.
    public let properties: [InjectedProperty]
    /// The names of all modules that contain types with metadata, or protocols but no types.
    public let modules: Set<String>
    /// The modules that contain injected properties, including properties that the audit excludes.
    let modulesWithWrappers: Set<String>

    /// The properties whose types are not registered.
    public var missing: [InjectedProperty] { properties.filter { $0.status == .missing } }
    /// The properties whose factories take other arguments than the properties supply.
    public var argumentMismatches: [InjectedProperty] { properties.filter { $0.status == .argumentMismatch } }
    /// The properties whose types are only registered with names.
    public var byNameOnly: [InjectedProperty] { properties.filter { $0.status == .byNameOnly } }
    /// The properties whose types aren't known.
    public var unknown: [InjectedProperty] { properties.filter { $0.status == .unknown } }

    /// Returns the audit of a container, after reading the metadata of the program.
    ///
    /// It takes some milliseconds. Can be called on any thread. It neither builds nor changes anything in the
    /// container.
    ///
    /// - Parameters:
    ///   - container: The container to check, together with its parents.
    ///   - modules: The modules whose types are included, or `nil` for all.
    ///   - isIncluded: Returns whether a property is included.
    public static func run(
        _ container: DIContainer, modules: Set<String>? = nil,
        where isIncluded: (InjectedProperty) -> Bool = { _ in true }
    ) -> InjectionAudit {
        let registered = AuditedRegistrations(container)
        var properties: [InjectedProperty] = []
        var modulesWithWrappers: Set<String> = []
        let metadata = ProgramMetadata()
        for type in metadata.types {
            let wrapped = type.wrappedProperties
            guard !wrapped.isEmpty else { continue }
            let path = type.path
            guard let module = path.first else { continue }
            modulesWithWrappers.insert(module)
            guard modules?.contains(module) ?? true else { continue }
            properties += wrapped.map { property in
                InjectedProperty(property, of: path, registered)
            }.filter(isIncluded)
        }
        return InjectionAudit(
            properties: properties.sorted { $0.path < $1.path }, modules: metadata.modules,
            modulesWithWrappers: modulesWithWrappers)
    }

    /// All properties, one per line.
    public var description: String {
        let typeNames = TypeNameFormatter(disambiguating: properties.compactMap(\.dependency))
        return properties.map { $0.text(typeNames) }.joined(separator: "\n")
    }
}

extension InjectedProperty {
    fileprivate init(
        _ property: TypeMetadata.WrappedProperty, of path: [String], _ registered: AuditedRegistrations
    ) {
        let found = property.type.map { AuditedDependency($0, registered) }
        self.init(
            module: path[0], owner: path.dropFirst().joined(separator: "."),
            name: property.name,
            wrapper: property.wrapper, dependency: found?.type, required: found?.required,
            status: found?.status ?? .unknown,
            expected: found?.expected ?? [])
    }
}

/// The registrations of a container, grouped for the audit.
struct AuditedRegistrations {
    /// The registrations and declarations of each type, with any name, because metadata doesn't show the name of a
    /// property.
    private let snapshots: [ObjectIdentifier: [RegistrationSnapshot]]

    init(_ container: DIContainer) {
        let candidates = container.snapshots.filter { !$0.base.isDecorator && !$0.key.has(.unrequestable) }
        snapshots = Dictionary(grouping: candidates) { ObjectIdentifier($0.registration.type) }
    }

    /// Returns all registrations and declarations of a type, and all contributions to it.
    fileprivate func collection(of type: any Any.Type) -> [RegistrationSnapshot] {
        snapshots[ObjectIdentifier(type)] ?? []
    }

    /// Returns all registrations and declarations of a type.
    fileprivate func candidates(for type: any Any.Type) -> [RegistrationSnapshot] {
        collection(of: type).filter { !$0.isContribution }
    }

    /// Returns whether the collection of a type has contributions.
    fileprivate func hasContributions(to type: any Any.Type) -> Bool {
        collection(of: type).contains { $0.isContribution }
    }

    /// Returns the registration that resolves a type without a name, or its declaration.
    fileprivate func unnamed(for type: any Any.Type) -> RegistrationSnapshot? {
        candidates(for: type).first { $0.registration.name == nil }
    }
}

/// The dependency of a wrapper, and the container's status for it.
struct AuditedDependency {
    let type: any Any.Type
    /// The type that must be registered. For a provider, the type that it provides.
    let required: ImpliedDependency?
    let status: InjectedProperty.Status
    /// The types of the arguments that the factory takes.
    let expected: [any Any.Type]

    init<Wrapper: _InjectionWrapper>(_ wrapper: Wrapper.Type, _ registered: AuditedRegistrations) {
        type = Wrapper.Value.self
        let implied = ImpliedDependency(
            of: type, isRegistered: { registered.unnamed(for: $0) != nil },
            hasContributions: registered.hasContributions)
        required = implied
        let mismatch = implied.flatMap { Self.argumentTypes(thatMismatch: $0, registered) }
        expected = mismatch ?? []
        status =
            if mismatch != nil {
                .argumentMismatch
            } else if let implied, !implied.isCollection, registered.unnamed(for: implied.type) == nil {
                registered.candidates(for: implied.type).isEmpty ? .missing : .byNameOnly
            } else {
                .registered
            }
    }

    /// Returns the types of the arguments that a dependency takes, if they differ from the supplied arguments.
    private static func argumentTypes(
        thatMismatch dependency: ImpliedDependency, _ registered: AuditedRegistrations
    ) -> [any Any.Type]? {
        if dependency.refusesArguments { return [] }
        func isFit(_ candidate: RegistrationSnapshot) -> Bool {
            let expected = candidate.maker.argumentTypes
            // A cached instance is resolved without arguments.
            return candidate.isProvidedByChild || candidate.isBuilt && !expected.isEmpty
                || fits(dependency.supplied ?? [], expected: expected)
        }
        if dependency.isCollection {
            return registered.collection(of: dependency.type).first { !isFit($0) }?.maker.argumentTypes
        }
        let candidates = registered.candidates(for: dependency.type)
        // The property may have a name, which metadata doesn't show.
        return candidates.contains(where: isFit) ? nil : registered.unnamed(for: dependency.type)?.maker.argumentTypes
    }
}
