/// An instance that a container keeps, and what it was made by. It is published when it is complete, and never changes.
final class Instance: Sendable {
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
    /// What it was built by.
    let entry: Entry
    /// The parent whose entry that is, or nil.
    let owner: Borrowed<ContainerCore>?
    /// Tells this instance from every other, built before or after.
    let serial: UInt
    /// The serial of the instance that it was made of by decorators, or 0.
    let basis: UInt
    let traits: Traits
    /// Whether it belongs to a graph of objects, and to a container only meanwhile.
    let isMember: Bool
    /// Whether children get it too.
    let isShared: Bool
    /// The box, if it may be read at once and on any thread whenever the place is found.
    let ready: Borrowed<AnyObject>?
    private let content: Content
    private let views = AtomicReference<View>()

    /// Makes what keeps a box; nil if it has to be known weakly, and is a value.
    init?(
        _ box: any AnyBox, in keeper: ContainerCore, by entry: Entry, of owner: Borrowed<ContainerCore>?,
        madeOf basis: Instance?, _ traits: Traits, isMember: Bool = false
    ) {
        let isKept = isMember || !traits.isWeak && !keeper.isAbandoned
        if isKept {
            content = .strong(box)
        } else {
            guard let weak = box.weakened else { return nil }
            content = .weak(weak)
        }
        self.keeper = Borrowed(keeper)
        self.entry = entry
        self.owner = owner
        serial = Serial.next()
        self.basis = basis?.serial ?? 0
        self.traits = traits
        self.isMember = isMember
        isShared = owner == nil && entry.mode == .owned
        ready = isKept && !traits.isMainActor && basis == nil && owner == nil ? Borrowed(box) : nil
    }

    /// What knows the instance without keeping it; nil if that is gone, or a value.
    init?(weakening other: Instance) {
        guard let weak = other.box?.weakened else { return nil }
        content = .weak(weak)
        keeper = other.keeper
        entry = other.entry
        owner = other.owner
        serial = other.serial
        basis = other.basis
        traits = other.traits
        isMember = other.isMember
        isShared = other.isShared
        ready = nil
    }

    /// The place in one word, for tables.
    var word: UInt { Self.word(entry.key, of: owner) }

    /// That of the key, unless there is an owner.
    @inline(__always)
    static func word(_ key: Key, of owner: Borrowed<ContainerCore>?) -> UInt {
        guard let owner else { return key.word }
        return (key.word &+ UInt(bitPattern: owner.with { ObjectIdentifier($0) }) &* 0x85eb_ca6b) | 1
    }

    /// Whether it answers for a key by an entry of a parent, or of its own container.
    @inline(__always)
    func answers(_ key: Key, of owner: Borrowed<ContainerCore>?) -> Bool { self.owner == owner && entry.key == key }

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
