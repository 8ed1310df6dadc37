/// A registration in the table of a container, with its decorators. It never changes, so several tables may share it.
@usableFromInline final class Entry: Sendable {
    /// Where the instances are kept.
    enum Mode {
        /// Nowhere: it is built at every request.
        case transient
        /// By the container that has the entry.
        case owned
        /// By the container that is asked.
        case scoped
        /// By the graph of objects that is being built.
        case graph
        /// Nowhere, since it leads to another entry: the target of an alias, or what a parent has for the key. What decorators
        /// make of that entry's instance is kept with it.
        case forwarded
    }

    /// What was registered or, if only a parent has that, the first decorator.
    @usableFromInline let registration: Registration
    /// What wraps each instance, the innermost first.
    let decorators: [Registration]
    /// The place of the registration that it replaced.
    let replaced: CallSite?
    /// The place in the order of registration, whatever decorates it later.
    let order: UInt
    /// A number that tells this registration or decoration of the key from every other. A copy has the same.
    let serial: UInt
    let mode: Mode
    /// What holds for the instances that it builds.
    let traits: Instance.Traits
    /// What reads need of the registration, which keeps it alive. This is the ``Factory``, if it may be called at once
    /// and on any thread, or the target of an alias.
    @usableFromInline let link: Borrowed<AnyObject>?

    init(
        _ registration: Registration, decorators: [Registration] = [], order: UInt? = nil,
        replacing replaced: CallSite? = nil, serial: UInt = Serial.next()
    ) {
        self.registration = registration
        self.decorators = decorators
        self.replaced = replaced
        self.serial = serial
        self.order = order ?? serial
        var traits: Instance.Traits = []
        if registration.isMainActor || decorators.contains(where: \.isMainActor) { traits.insert(.isMainActor) }
        if registration.lifetime == .weak { traits.insert(.isWeak) }
        if registration.takesArguments { traits.insert(.takesArguments) }
        self.traits = traits
        mode =
            switch (registration.kind, registration.lifetime) {
            case (.alias, _), (.decorator, _): .forwarded
            case (_, .scoped): .scoped
            case (_, .new): .transient
            case (_, .graph): .graph
            default: .owned
            }
        switch registration.kind {
        case .factory(let factory) where mode == .transient && !traits.contains(.isMainActor) && decorators.isEmpty:
            link = Borrowed(factory as AnyObject)
        case .alias(let target): link = Borrowed(target)
        default: link = nil
        }
    }

    @usableFromInline var key: Key { registration.key }
    /// What an alias forwards to.
    @usableFromInline var target: Borrowed<Registration>? { mode == .forwarded ? link?.unsafelyCast() : nil }
    /// The factory that may be called at once, if it is of exactly this type.
    @inlinable func factory<F: AnyObject>(_ type: F.Type) -> Borrowed<F>? {
        guard let link, link.with({ Swift.type(of: $0) == type }) else { return nil }
        return link.unsafelyCast(as: type)
    }

    var isDecorated: Bool { !decorators.isEmpty }
    /// Whether a parent, at most, has the registration, and this only decorates it.
    var isDecoratorOnly: Bool { registration.isDecorator }
    /// Whether it is built and resolved on the main actor only.
    var isMainActor: Bool { traits.contains(.isMainActor) }
    var takesArguments: Bool { traits.contains(.takesArguments) }

    /// Makes the entry of a registration that takes the place of another entry of the key, or decorates that. Returns that entry
    /// if nothing changes.
    ///
    /// - Parameter birth: That of a copied container, if it is one. To override what it was copied with is no replacement.
    static func successor(of old: Entry?, by registration: Registration, in birth: UInt? = nil) -> Entry {
        if registration.isDecorator {
            return old?.wrapping(with: [registration]) ?? Entry(registration, decorators: [registration])
        }
        guard let old else { return Entry(registration) }
        let isOverride = birth.map { old.order < $0 } ?? false
        let replaced = old.isReplaced(by: registration) ? old.registration.site : old.replaced
        return Entry(registration, decorators: old.decorators, replacing: isOverride ? nil : replaced)
    }

    /// Whether another registration of the key takes the place of this one. The same registration again replaces nothing.
    func isReplaced(by other: Registration) -> Bool {
        !other.isDecorator && !isDecoratorOnly && !registration.isSame(as: other)
    }

    /// Makes a copy for another container, in which it comes last so far.
    func copy() -> Entry {
        Entry(registration, decorators: decorators, order: Serial.next(), replacing: replaced, serial: serial)
    }

    /// Makes a copy with more decorators, in the same place of the order. Returns itself if it has all of them.
    func wrapping(with decorators: [Registration]) -> Entry {
        let others = decorators.without(self.decorators)
        return others.isEmpty
            ? self : Entry(registration, decorators: self.decorators + others, order: order, replacing: replaced)
    }
}

extension [Registration] {
    /// The registrations that are not among others.
    func without(_ others: [Registration]) -> [Registration] {
        filter { mine in !others.contains { $0.isSame(as: mine) } }
    }
}
