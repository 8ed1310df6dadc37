/// An instance that a container keeps, and what it was made by. It is published when it is complete, and never changes.
final class Instance: Sendable {
    /// What an instance answers for: a key and, if a parent's entry answers that, the parent.
    struct Place: Equatable {
        let key: Key
        let owner: ObjectIdentifier?

        /// The place in one word, for tables: that of the key, unless there is an owner.
        var word: UInt {
            @inline(__always) get {
                guard let owner else { return key.word }
                return (key.word &+ UInt(bitPattern: owner) &* 0x85eb_ca6b) | 1
            }
        }
    }

    /// What holds for an instance and for all that is made of it.
    struct Traits {
        var isMainActor: Bool
        let isWeak: Bool
        let takesArguments: Bool
    }

    private enum Content {
        case strong(any AnyBox)
        case weak(WeakBox)
    }

    /// The container that keeps it.
    let keeper: Borrowed<ContainerCore>
    let place: Place
    /// Tells this instance from every other, built before or after.
    let serial: UInt
    /// The serial of the entry that it was built by.
    let installation: UInt
    /// The serial of the instance that it was made of by decorators, or 0.
    let basis: UInt
    let traits: Traits
    /// Whether children get it too.
    let isShared: Bool
    /// The box, if it may be read at once and on any thread whenever the place is found.
    let ready: Borrowed<AnyObject>?
    private let content: Content
    private let views = AtomicReference<View>()

    /// Makes what keeps a box; nil if it has to be known weakly, and is a value.
    init?(
        _ box: any AnyBox, in keeper: ContainerCore, at place: Place, by entry: Entry, madeOf basis: Instance?,
        _ traits: Traits
    ) {
        let isKept = !traits.isWeak && !keeper.isAbandoned
        if isKept {
            content = .strong(box)
        } else {
            guard let weak = box.weakened else { return nil }
            content = .weak(weak)
        }
        self.keeper = Borrowed(keeper)
        self.place = place
        serial = Serial.next()
        installation = entry.serial
        self.basis = basis?.serial ?? 0
        self.traits = traits
        isShared = place.owner == nil && entry.mode == .owned
        ready = isKept && !traits.isMainActor && basis == nil && place.owner == nil ? Borrowed(box) : nil
    }

    /// What knows the instance without keeping it; nil if that is gone, or a value.
    init?(weakening other: Instance) {
        guard let weak = other.box?.weakened else { return nil }
        content = .weak(weak)
        keeper = other.keeper
        place = other.place
        serial = other.serial
        installation = other.installation
        basis = other.basis
        traits = other.traits
        isShared = other.isShared
        ready = nil
    }

    /// A box of the instance, unless it is gone.
    var box: (any AnyBox)? {
        switch content {
        case .strong(let box): box
        case .weak(let weak): weak.box
        }
    }

    /// The box, unless looking at it takes more than a read: for the main actor, or a weak reference.
    var readable: Borrowed<AnyObject>? {
        guard !traits.isMainActor, case .strong(let box) = content else { return nil }
        return Borrowed(box)
    }

    // MARK: What aliases make of it

    /// The instance under the type of an alias.
    private final class View: Sendable {
        let type: ObjectIdentifier
        let box: any AnyBox
        let next = AtomicReference<View>()

        init(_ type: ObjectIdentifier, _ box: any AnyBox) {
            self.type = type
            self.box = box
        }
    }

    /// The box of the instance under the type of an alias that was asked before.
    func view(_ type: ObjectIdentifier) -> Borrowed<AnyObject>? {
        var next = views.load()
        while let view = next {
            if view.with({ $0.type == type }) { return view.with { Borrowed($0.box) } }
            next = view.with { $0.next.load() }
        }
        return nil
    }

    /// Adds what an alias makes of the instance, for as long as this is kept.
    func add(_ box: any AnyBox, as type: ObjectIdentifier) {
        guard case .strong = content, view(type) == nil else { return }
        let view = View(type, box)
        if views.setIfEmpty(view) { return }
        var last = views.load()
        while let known = last, known.with({ !$0.next.setIfEmpty(view) }) { last = known.with { $0.next.load() } }
    }
}
