public import DependencyInjection

/// One registration of a container: its type, its lifetime and its place.
///
/// It shows one moment and never changes. It retains the registration, but not the instance.
public struct RegistrationInfo: Sendable, CustomStringConvertible {
    let snapshot: RegistrationSnapshot
    /// The further types that the instance answers for.
    let aliasTypes: [any Any.Type]
    /// Tells the types of the list apart that the registration is a part of.
    let namesakes: Namesakes

    /// What was registered for the key: a factory, an alias or, if only a parent has one of these, the first decorator.
    var registration: Registration { snapshot.registration }
    /// The type and the name that were registered.
    var label: Label { registration.label }
    /// What makes the instance, behind entries that only decorate a parent's.
    var base: Registration { snapshot.base }

    /// The further types that the instance answers for, as code writes them.
    public var aliases: [String] { aliasTypes.map(TypeName.short) }
    /// The type asked for.
    public var type: any Any.Type { base.type }
    /// The name that tells it from other registrations of its type.
    public var name: RegistrationName? { base.name }
    /// The type and the name, such as `any Router named "main"`.
    public var key: String { base.label.description }
    /// The types of the arguments that its factory takes.
    public var arguments: [any Any.Type] { snapshot.maker.argumentTypes }
    /// Whether its dependencies show only when it is built: see ``DependencyGraph/opaque``.
    public var isOpaque: Bool { base.isOpaque || !snapshot.decorators.isEmpty }
    /// How long the instance lives; nil for what is only expected, and for a decorator of something that is not registered.
    public var lifetime: Lifetime? { snapshot.maker.lifetime }
    /// Whether it only declares, with ``/DependencyInjection/Expected``, that children register the type.
    public var isExpected: Bool { snapshot.isExpectation }
    /// The decorators that wrap the instance, the innermost first.
    public var decorators: [ResolutionError.Step] {
        snapshot.decorators.map { ResolutionError.Step(registration: $0) }
    }
    /// The name of the module that the registration came with.
    public var module: String? { base.module }
    /// Whether the container had an instance, its own or one of the parent that owns the registration.
    public var isBuilt: Bool { snapshot.isBuilt }
    /// Whether a parent owns the registration.
    public var isInherited: Bool { snapshot.isInherited }
    /// Whether only `await` can build it.
    public var isAsync: Bool { snapshot.maker.isAsync }
    /// Whether it is built and resolved on the main actor only.
    public var isMainActor: Bool { snapshot.isMainActor }
    /// The file in which it was written, as `Module/File.swift`.
    public var file: String { base.file }
    /// The line on which it was written.
    public var line: UInt { base.line }
    /// The place of the registration that it replaced, if there was one in the same container.
    public var replaced: String? { snapshot.replaced }

    /// The registration on one line, which tells its types from those of the others in its list.
    public var description: String { snapshot.line(namesakes, aliases: aliasTypes) }
}
