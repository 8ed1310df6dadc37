/// An instance that a container keeps, the entry that built it, and the way by which it was made. It never changes once it is
/// published.
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
    /// What it was made of, besides its entry; empty for most. See ``Way``.
    let way: [UInt]
    /// A number that no other build has, and that is higher the later the instance was built.
    let serial: UInt
    let traits: Traits
    /// Whether children get it as well.
    var isShared: Bool { entry.mode == .owned }
    /// The box, if any thread that finds the instance may read it at once.
    let ready: Borrowed<AnyObject>?
    private let content: Content
    private let views = AtomicReference<View>()

    private init(
        _ content: Content, in keeper: Borrowed<ContainerCore>, by entry: Entry, _ way: [UInt], _ traits: Traits,
        serial: UInt, ready: Borrowed<AnyObject>? = nil
    ) {
        self.content = content
        self.keeper = keeper
        self.entry = entry
        self.way = way
        self.traits = traits
        self.serial = serial
        self.ready = ready
    }

    /// Holds a box, weakly if the entry is ``Weak`` or nobody holds the container any more; nil if the box holds a value, which
    /// cannot be held so.
    convenience init?(
        _ box: any AnyBox, in keeper: ContainerCore, by entry: Entry, of owner: ContainerCore, _ way: [UInt],
        _ traits: Traits
    ) {
        let isWeak = traits.contains(.isWeak) || keeper.isAbandoned
        let weak = isWeak ? box.weakened : nil
        if isWeak, weak == nil { return nil }
        let isReady = weak == nil && traits.isFree && way.isEmpty && owner === keeper
        self.init(
            weak.map { .weak($0) } ?? .strong(box), in: Borrowed(keeper), by: entry, way, traits, serial: Serial.next(),
            ready: isReady ? Borrowed(box) : nil)
    }

    /// Holds a box for a graph of objects, which lives as long as the request.
    convenience init(
        memberWith box: any AnyBox, for core: ContainerCore, by entry: Entry, _ way: [UInt], _ traits: Traits
    ) {
        self.init(.strong(box), in: Borrowed(core), by: entry, way, traits, serial: Serial.next())
    }

    /// The same instance, held weakly; nil if it is a value.
    var weakened: Instance? {
        guard case .strong(let box) = content else { return self }
        return box.weakened.map { Instance(.weak($0), in: keeper, by: entry, way, traits, serial: serial) }
    }

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
