public import DependencyInjection

/// Lists every injected property in the program, and tells for which of them a container has no registration.
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
/// It reads the metadata that the compiler writes about types, so it runs none of their code and builds nothing. It
/// finds all stored properties with one of the four wrappers, in classes, actors and structs of all loaded images, even
/// if these types are private, nested or never used. In a test, use
/// ``expectEveryInjectionIsRegistered(in:modules:allowing:where:sourceLocation:)``.
///
/// What it cannot see:
///
/// - The type of a property in a generic type. It is listed in ``unknown``.
/// - The name and the container in `@Inject(name: …, from: …)`. If the type is registered under names only, the property is
///   listed in ``byNameOnly``. A property with `from:` is judged by the container of the audit.
/// - What a factory needs, and whether it takes the arguments of a `Provider`.
/// - Static and local properties, those inside another wrapper, and those of types that cannot be copied.
/// - The type around a type that is declared in an extension of a generic type.
/// - Types that the optimiser has removed, such as, in release builds, private types that nobody uses.
/// - Modules that are compiled with `-disable-reflection-metadata`.
///
/// > Note: It has been run on Linux only. On Apple platforms it reads the same metadata, which it finds in another way.
public struct InjectionAudit: Sendable, CustomStringConvertible {
    /// All injected properties that were found, sorted by their paths.
    public let properties: [InjectedProperty]
    /// The names of all modules that have types with metadata, or protocols and no types.
    public let modules: Set<String>

    /// The properties whose types are not registered.
    public var missing: [InjectedProperty] { properties.filter { $0.status == .missing } }
    /// The properties whose types are registered under names only.
    public var byNameOnly: [InjectedProperty] { properties.filter { $0.status == .byNameOnly } }
    /// The properties whose types are not known.
    public var unknown: [InjectedProperty] { properties.filter { $0.status == .unknown } }

    /// Reads the metadata of the program and asks a container for each injected property that it finds.
    ///
    /// It takes some milliseconds. It may be called on any thread, and it neither builds nor changes anything in the container.
    ///
    /// - Parameters:
    ///   - container: The container to ask, with its parents.
    ///   - modules: The modules whose types count; nil for all.
    ///   - isIncluded: Tells for each property whether it counts.
    public static func run(
        _ container: DIContainer, modules: Set<String>? = nil,
        where isIncluded: (InjectedProperty) -> Bool = { _ in true }
    ) -> InjectionAudit {
        let named = container.typesWithNames
        var properties: [InjectedProperty] = []
        let metadata = ProgramMetadata()
        for type in metadata.types {
            let wrapped = type.wrappedProperties
            guard !wrapped.isEmpty else { continue }
            let path = type.path
            guard let module = path.first, modules?.contains(module) ?? true else { continue }
            properties += wrapped.map { property in
                InjectedProperty(property, of: path, container, named)
            }.filter(isIncluded)
        }
        return InjectionAudit(
            properties: properties.sorted { $0.path < $1.path }, modules: metadata.modules)
    }

    /// All properties, each on a line.
    public var description: String {
        let names = TypeNames(properties.compactMap(\.dependency))
        return properties.map { $0.text(names) }.joined(separator: "\n")
    }
}

extension InjectedProperty {
    fileprivate init(
        _ property: TypeMetadata.WrappedProperty, of path: [String], _ container: DIContainer,
        _ named: Set<ObjectIdentifier>
    ) {
        let found = property.type.map { Dependency($0, container, named) }
        self.init(
            module: path[0], owner: path.dropFirst().joined(separator: "."),
            name: property.name,
            wrapper: property.wrapper, dependency: found?.type, need: found?.need, status: found?.status ?? .unknown)
    }
}

/// What a wrapper asks for, and what a container has for it.
private struct Dependency {
    let type: any Any.Type
    /// What must be registered: for a provider, what it provides.
    let need: InjectionNeed?
    let status: InjectedProperty.Status

    init<Wrapper: InjectionWrapper>(_ wrapper: Wrapper.Type, _ container: DIContainer, _ named: Set<ObjectIdentifier>) {
        type = Wrapper.Value.self
        let needs = InjectionNeed.all(of: type)
        need = needs.last
        let isNamed = needs.contains { named.contains(ObjectIdentifier($0.type)) }
        status = container.answers(Wrapper.Value.self) ? .registered : isNamed ? .byNameOnly : .missing
    }
}
