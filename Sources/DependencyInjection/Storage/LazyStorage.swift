/// The value of a lazy wrapper: resolved once, by the first who reads it.
@usableFromInline
final class LazyStorage<Value> {
    private let name: RegistrationName?
    private let file: StaticString
    private let line: UInt
    /// The container to resolve from; unset until the first read where it is to be the default of that moment.
    private let core = OnceReference()
    /// A ``Box`` of the value.
    @usableFromInline let box = OnceReference()

    init(_ core: ContainerCore?, _ name: RegistrationName?, _ file: StaticString, _ line: UInt) {
        self.name = name
        self.file = file
        self.line = line
        if let core { self.core.set(core) }
    }

    /// Never called, but the compiler cannot know: see ``LazyReference``.
    @usableFromInline let unreachable: @convention(c) () -> Void = {}

    /// Resolves on the queue of the container, which is how other threads are kept from doing the same. A lock of its own
    /// could deadlock: its holder waits for the queue, where a factory may be reading this very value.
    @usableFromInline
    func resolve() -> Value {
        let core = settledCore
        return core.exclusively {
            if let box = box.address { return Box<Value>.read(box) }
            let value = Resolver(core: core)(Value.self, name: name, file: file, line: line)
            // Resolving may have read this value already, through a cycle that the container does not see.
            if let box = box.address { return Box<Value>.read(box) }
            box.set(Box(value))
            return value
        }
    }

    /// The container to resolve from; whoever reads first settles which one, so that all wait on one queue.
    private var settledCore: ContainerCore {
        if core.address == nil { core.set(DefaultContainer.container.core) }
        return Unmanaged.fromOpaque(core.address.unsafelyUnwrapped).takeUnretainedValue()
    }
}

// Sound: everything but the value is Sendable, and the two pointers are set once and only read afterwards.
extension LazyStorage: @unchecked Sendable where Value: Sendable {}

/// A storage that a property keeps, to be read without retaining it: that would cost as much as all the rest.
///
/// Sound because the property is borrowed while it is read, and because the compiler cannot end the borrow before the value
/// is retained: then follows a second look at memory, upon which a function of which it knows nothing may be called. (It is
/// not, since a box stays; to call it each time would cost a tenth of the read.) Resolving runs foreign code, which may
/// replace the property, and so retains.
@usableFromInline
struct LazyReference<Value> {
    private let storage: LazyStorage<Value>
    @usableFromInline let unretained: Unmanaged<LazyStorage<Value>>

    init(_ core: ContainerCore?, _ name: RegistrationName?, _ file: StaticString, _ line: UInt) {
        storage = LazyStorage(core, name, file, line)
        unretained = .passUnretained(storage)
    }

    @inlinable
    var value: Value {
        @inline(__always) get {
            guard let box = unretained._withUnsafeGuaranteedRef({ $0.box.address }) else {
                return unretained.takeUnretainedValue().resolve()
            }
            let value = Box<Value>.read(box)
            unretained._withUnsafeGuaranteedRef { if $0.box.address != box { $0.unreachable() } }
            return value
        }
    }
}

extension LazyReference: Sendable where Value: Sendable {}
