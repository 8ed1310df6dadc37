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
/// - What a factory needs.
/// - Static and local properties, those inside another wrapper, and those of types that cannot be copied.
/// - The type around a type that is declared in an extension of a generic type.
/// - Types that the optimizer has removed, such as unused private types in release builds.
/// - Modules that are compiled with `-disable-reflection-metadata`.
///
/// > Note: It has been run on Linux only. On Apple platforms it reads the same metadata, which it finds in another way.
public struct InjectionAudit: Sendable, CustomStringConvertible {
    /// All injected properties that were found, sorted by their paths.
    public let properties: [InjectedProperty]
    /// The names of all modules that have types with metadata, or protocols and no types.
    public let modules: Set<String>
    /// The modules that have injected properties, whether these are included or not.
    let modulesWithWrappers: Set<String>

    /// The properties whose types are not registered.
    public var missing: [InjectedProperty] { properties.filter { $0.status == .missing } }
    /// The properties whose factories take other arguments than they supply.
    public var misfits: [InjectedProperty] { properties.filter { $0.status == .misfit } }
    /// The properties whose types are registered under names only.
    public var byNameOnly: [InjectedProperty] { properties.filter { $0.status == .byNameOnly } }
    /// The properties whose types are not known.
    public var unknown: [InjectedProperty] { properties.filter { $0.status == .unknown } }

    /// Reads the metadata of the program and asks a container for each injected property that it finds.
    ///
    /// It takes some milliseconds. It may be called on any thread, and it neither builds nor changes anything in the container.
    ///
    /// - Parameters:
    ///   - container: The container whose registrations count, with those of its parents.
    ///   - modules: The modules whose types count, or nil for all.
    ///   - isIncluded: Returns whether a property counts.
    public static func run(
        _ container: DIContainer, modules: Set<String>? = nil,
        where isIncluded: (InjectedProperty) -> Bool = { _ in true }
    ) -> InjectionAudit {
        let registered = Registered(container)
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

    /// All properties, each on a line.
    public var description: String {
        let namesakes = Namesakes(properties.compactMap(\.dependency))
        return properties.map { $0.text(namesakes) }.joined(separator: "\n")
    }
}

extension InjectedProperty {
    fileprivate init(
        _ property: TypeMetadata.WrappedProperty, of path: [String], _ registered: Registered
    ) {
        let found = property.type.map { Dependency($0, registered) }
        self.init(
            module: path[0], owner: path.dropFirst().joined(separator: "."),
            name: property.name,
            wrapper: property.wrapper, dependency: found?.type, need: found?.need, status: found?.status ?? .unknown,
            expected: found?.expected ?? [])
    }
}

/// What a container has, as far as the audit asks.
private struct Registered {
    /// What is registered for each type, or expected of children, under whatever name: metadata does not show the name of a
    /// property.
    private let snapshots: [ObjectIdentifier: [RegistrationSnapshot]]

    init(_ container: DIContainer) {
        snapshots = Dictionary(grouping: container.snapshots.filter { !$0.base.isDecorator }) { snapshot in
            // What is expected has a key of its own.
            snapshot.isExpectation ? ObjectIdentifier(snapshot.registration.type) : snapshot.key.type
        }
    }

    /// What there is for the type of a need.
    func candidates(for need: InjectionNeed) -> [RegistrationSnapshot] { snapshots[ObjectIdentifier(need.type)] ?? [] }

    /// What answers a need without a name.
    func unnamed(for need: InjectionNeed) -> RegistrationSnapshot? {
        candidates(for: need).first { $0.key.name == nil }
    }

    /// The arguments that the factory for the first need which is answered takes, if that supplies others.
    func otherArguments(than needs: [InjectionNeed]) -> [any Any.Type]? {
        // An Optional or a provider that is registered itself is what answers.
        for need in needs {
            guard let unnamed = unnamed(for: need), !unnamed.isExpectation else { continue }
            let isFit = candidates(for: need).contains { candidate in
                let expected = candidate.maker.argumentTypes
                // What is built needs none of them any more.
                return candidate.isBuilt && !expected.isEmpty || fits(need.arguments, expected)
            }
            return isFit ? nil : unnamed.maker.argumentTypes
        }
        return nil
    }
}

/// What a wrapper asks for, and what a container has for it.
private struct Dependency {
    let type: any Any.Type
    /// What must be registered: for a provider, what it provides.
    let need: InjectionNeed?
    let status: InjectedProperty.Status
    /// The arguments that the factory takes.
    let expected: [any Any.Type]

    init<Wrapper: _InjectionWrapper>(_ wrapper: Wrapper.Type, _ registered: Registered) {
        type = Wrapper.Value.self
        let needs = InjectionNeed.all(of: type)
        need = needs.last
        let other = registered.otherArguments(than: needs)
        expected = other ?? []
        status =
            if other != nil {
                .misfit
            } else if needs.contains(where: { $0.isOptional || registered.unnamed(for: $0) != nil }) {
                .registered
            } else {
                needs.contains { !registered.candidates(for: $0).isEmpty } ? .byNameOnly : .missing
            }
    }
}
