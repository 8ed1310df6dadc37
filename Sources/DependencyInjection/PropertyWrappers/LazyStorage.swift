/// The storage of a lazy wrapper's value, which the first read resolves.
@usableFromInline final class LazyStorage<Value> {
    private let name: RegistrationName?
    private let site: CallSite
    private let container: RememberedContainer
    @usableFromInline let box = AtomicReference<Box<Value>>()

    init(_ container: RememberedContainer, _ name: RegistrationName?, _ site: CallSite) {
        self.container = container
        self.name = name
        self.site = site
    }

    /// Creates storage with a value, which is never resolved.
    convenience init(_ value: Value) {
        self.init(RememberedContainer(core: nil), nil, CallSite(file: #fileID, line: #line))
        box.setIfEmpty(Box(value))
    }

    @inlinable var value: Value {
        get {
            defer { withExtendedLifetime(self) {} }
            guard let box = box.load() else { return resolve() }
            return box.with { $0.value }
        }
    }

    /// The value, or `nil` if it hasn't been resolved.
    @usableFromInline var resolvedValue: Value? {
        defer { withExtendedLifetime(self) {} }
        return box.load().map { box in box.with { $0.value } }
    }

    /// Resolves the value and returns the stored one. If several threads resolve concurrently, the first published
    /// result is stored.
    @usableFromInline func resolve() -> Value {
        let resolver = Resolver(core: container.core ?? DefaultContainer.container.core)
        box.setIfEmpty(Box(resolver(Value.self, name: name, file: site.file, line: site.line)))
        return value
    }
}

// Sound: everything but the value is Sendable, and the box is set once and only read afterwards.
extension LazyStorage: @unchecked Sendable where Value: Sendable {}
