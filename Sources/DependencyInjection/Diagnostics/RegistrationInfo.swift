/// Describes one registration of a container: what it answers, how long that lives, and where it was written.
///
/// It shows one moment and never changes. It keeps the registration, and no instance.
public final class RegistrationInfo: Sendable, CustomStringConvertible {
    @usableFromInline let entry: Entry
    /// The registration itself, behind entries that only decorate a parent's.
    @usableFromInline let subject: Registration
    @usableFromInline let layers: [Registration]
    /// The further types that the instance answers for, as code writes them.
    public let aliases: [String]
    /// Whether the container had an instance, its own or one of the parent that owns the registration.
    public let isBuilt: Bool
    /// Whether a parent owns the registration.
    public let isInherited: Bool

    @usableFromInline @_optimize(size) init(_ place: ContainerCore.Place, aliases: [String], in core: ContainerCore) {
        (entry, self.aliases) = (place.entry, aliases)
        var (base, home, layers) = (entry, place.owner, entry.decorators)
        while base.registration == nil, let (owner, next) = home.parent?.registered(base.key) {
            (base, home) = (next, owner.object)
            layers = next.decorators + layers
        }
        (subject, self.layers) = (base.subject, layers)
        isInherited = home !== core
        isBuilt = place.core.current(place.entry, of: place.owner)?.box != nil
    }

    /// The type asked for.
    @_alwaysEmitIntoClient public var type: any Any.Type { subject.type }
    /// The name that tells it from other registrations of its type.
    @_alwaysEmitIntoClient public var name: RegistrationName? { subject.name }
    /// The type and the name, such as `any Router named "main"`.
    public var key: String { subject.label }
    /// How long the instance lives; nil for a decorator of something that is not registered.
    @_alwaysEmitIntoClient public var lifetime: Lifetime? { subject.lifetime }
    /// The decorators that wrap the instance, the innermost first.
    @_alwaysEmitIntoClient public var decorators: [ResolutionError.Step] {
        layers.map { ResolutionError.Step(registration: $0) }
    }
    /// The name of the module that the registration came with.
    @_alwaysEmitIntoClient public var module: String? { subject.module }
    /// Whether only `await` can build it.
    public var isAsync: Bool { subject.isAsync }
    /// Whether it is built and resolved on the main actor only.
    public var isMainActor: Bool { subject.isMainActor || layers.contains { $0.isMainActor } }
    /// The file in which it was written, as `Module/File.swift`.
    @_alwaysEmitIntoClient public var file: String { subject.file }
    /// The line on which it was written.
    @_alwaysEmitIntoClient public var line: UInt { subject.line }
    /// The place of the registration that this one replaced.
    public var replaced: String? { entry.replaced?.description }

    /// The registration on one line.
    @_optimize(size) public var description: String {
        var text = title
        if !aliases.isEmpty { text += " as " + aliases.joined(separator: ", ") }
        if !layers.isEmpty, lifetime != nil { text += ", decorated" }
        if let module { text += ", in " + module }
        if isInherited { text += ", inherited" }
        if isBuilt { text += ", built" }
        return text + "  (registered at " + subject.site.description + ")"
    }

    /// How it was registered and for what, as code writes it.
    @usableFromInline var title: String {
        (entry.target != nil ? "Alias " : (entry.subject.lifetime?.title ?? "Decorate") + " ") + step.key
    }
    @usableFromInline var step: ResolutionError.Step { ResolutionError.Step(registration: entry.subject) }
}
