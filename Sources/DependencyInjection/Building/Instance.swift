/// An instance that a container keeps, and the entry that built it. It never changes once it is published.
final class Instance: Sendable {
    /// Properties of an instance that hold for everything made of it, too.
    struct Traits: OptionSet, Sendable {
        let rawValue: UInt8
        static let isMainActor = Traits(rawValue: 1)
        static let isWeak = Traits(rawValue: 2)
        static let takesArguments = Traits(rawValue: 4)
        /// An observer is told of each request, so that no request may read the instance at once.
        static let isWatched = Traits(rawValue: 8)

        /// Whether any thread may read the instance at any time, without telling anybody.
        var isFree: Bool { isDisjoint(with: [.isMainActor, .isWatched]) }
    }

    private enum Content {
        case strong(any AnyBox)
        case weak(WeakBox)
    }

    /// The container that keeps it; of a member of a graph, the container that it was built for.
    let keeper: Borrowed<ContainerCore>
    /// The entry that built it.
    let entry: Entry
    /// The container that owns the entry: the keeper, or a parent of it.
    let owner: Borrowed<ContainerCore>
    /// What decorators made it of, if the keeper keeps that for the same key.
    let inner: Instance?
    /// A number that no other build has, and that is higher the later the instance was built.
    let serial: UInt
    /// The serial of the instance that decorators made this one of.
    let sourceSerial: UInt?
    let traits: Traits
    /// Whether a graph of objects keeps it, instead of a container.
    let isMember: Bool
    /// Whether children get it as well.
    let isShared: Bool
    /// The box, if any thread that finds the instance may read it at once.
    let ready: Borrowed<AnyObject>?
    private let content: Content
    private let views = AtomicReference<View>()

    /// Keeps a box, strongly or weakly; nil if the box holds a value and would have to be held weakly.
    init?(
        _ box: any AnyBox, in keeper: ContainerCore, by entry: Entry, of owner: Borrowed<ContainerCore>,
        around inner: Instance? = nil, madeOf sourceSerial: UInt?, _ traits: Traits, isMember: Bool = false,
        serial: UInt = Serial.next()
    ) {
        let isKept = isMember || !traits.contains(.isWeak) && !keeper.isAbandoned
        if isKept {
            content = .strong(box)
        } else {
            guard let weak = box.weakened else { return nil }
            content = .weak(weak)
        }
        self.keeper = Borrowed(keeper)
        self.entry = entry
        self.owner = owner
        self.inner = inner
        self.serial = serial
        self.sourceSerial = sourceSerial
        self.traits = traits
        self.isMember = isMember
        isShared = entry.mode == .owned
        ready = isKept && traits.isFree && sourceSerial == nil && owner == self.keeper ? Borrowed(box) : nil
    }

    /// This and what it is around, from the outside in.
    var layers: some Sequence<Instance> { sequence(first: self) { $0.inner } }

    /// Whether the same container keeps both for one key, in layers.
    func isLayer(beside other: Instance) -> Bool { keeper == other.keeper && entry.key == other.entry.key }

    /// The box, unless the instance is gone.
    var box: (any AnyBox)? {
        switch content {
        case .strong(let box): box
        case .weak(let weak): weak.box
        }
    }

    /// The box, for a reader that has found the instance to be current; nil if that takes more: the main actor, a weak
    /// reference, or telling an observer.
    var readyIfCurrent: Borrowed<AnyObject>? {
        guard traits.isFree, case .strong(let box) = content else { return nil }
        return Borrowed(box)
    }

    // MARK: Views for aliases

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

    /// The box for the type of an alias, if the alias was asked for before.
    func view(_ type: ObjectIdentifier) -> Borrowed<AnyObject>? {
        var next = views.load()
        while let view = next {
            if view.with({ $0.type == type }) { return view.with { Borrowed($0.box) } }
            next = view.with { $0.next.load() }
        }
        return nil
    }

    /// Adds a box for the type of an alias; the box lives as long as this instance.
    func add(_ box: any AnyBox, as type: ObjectIdentifier) {
        guard case .strong = content, view(type) == nil else { return }
        let view = View(type, box)
        if views.setIfEmpty(view) { return }
        var last = views.load()
        while let known = last, known.with({ !$0.next.setIfEmpty(view) }) { last = known.with { $0.next.load() } }
    }
}
