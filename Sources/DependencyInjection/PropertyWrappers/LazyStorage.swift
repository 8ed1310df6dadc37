/// Holds the value of a lazy wrapper, which is resolved when it is first read.
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

    /// Keeps a value that need not be resolved.
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

    /// The value, if it is there by now.
    @usableFromInline var present: Value? {
        defer { withExtendedLifetime(self) {} }
        return box.load().map { box in box.with { $0.value } }
    }

    /// Resolves the value. If several threads do so at once, the first result that is published counts.
    @usableFromInline func resolve() -> Value {
        let resolver = Resolver(core: container.core ?? DefaultContainer.container.core)
        box.setIfEmpty(Box(resolver(Value.self, name: name, file: site.file, line: site.line)))
        return value
    }
}

// Sound: everything but the value is Sendable, and the box is set once and only read afterwards.
extension LazyStorage: @unchecked Sendable where Value: Sendable {}
