/// A registration in the table of a container, with its decorators. It is immutable, so several tables may share it.
@usableFromInline package final class Entry: Sendable {
    /// The registration or, if the container only decorates the type, the first decorator.
    @usableFromInline package let registration: Registration
    /// The decorators of each instance, innermost first.
    package let decorators: [Registration]
    /// The source location of the registration that this one replaced.
    package let replaced: CallSite?
    /// The position in the order of registration, which later decorations don't change.
    package let order: UInt
    /// Identifies this registration or decoration of the key. A copy for another container has the same ID.
    let id: UInt
    /// The cache that stores the instance. `nil` for an alias, a declaration and an entry that only decorates.
    let cacheLocation: Lifetime.CacheLocation?
    /// Whether the container only decorates the type, and registers nothing for it.
    let isDecoratorOnly: Bool
    /// Whether the factory or a decorator runs on the main actor only. The target of an alias doesn't count.
    package let isMainActor: Bool
    /// Whether the cache holds the instance weakly.
    let isHeldWeakly: Bool
    /// The target of an alias, which the registration retains.
    let aliasTarget: UnretainedReference<Registration>?
    /// The ``Factory`` that a reader may call without the slow path, if there is one. The registration retains it.
    @usableFromInline let directFactory: UnretainedReference<AnyObject>?

    init(
        _ registration: Registration, decorators: [Registration] = [], order: UInt? = nil,
        replacing replaced: CallSite? = nil, id: UInt = UniqueID.next()
    ) {
        self.registration = registration
        self.decorators = decorators
        self.replaced = replaced
        self.id = id
        self.order = order ?? id
        isDecoratorOnly = registration.isDecorator
        isHeldWeakly = registration.lifetime?.isHeldWeakly ?? false
        isMainActor = registration.isMainActor || decorators.contains { $0.isMainActor }
        switch registration.kind {
        case .alias(let target):
            (cacheLocation, aliasTarget, directFactory) = (nil, UnretainedReference(target), nil)
        case .decorator, .declaration:
            (cacheLocation, aliasTarget, directFactory) = (nil, nil, nil)
        case .factory, .asyncFactory, .refused:
            cacheLocation = registration.lifetime?.cacheLocation
            aliasTarget = nil
            if cacheLocation == .uncached, !isMainActor, decorators.isEmpty,
                case .factory(let factory) = registration.kind
            {
                directFactory = UnretainedReference(factory as AnyObject)
            } else {
                directFactory = nil
            }
        }
    }

    @usableFromInline package var key: Key { registration.key }

    /// The factory that a reader may call without the slow path, if it is of exactly this type.
    @inlinable func factory<F: AnyObject>(_ type: F.Type) -> UnretainedReference<F>? {
        guard let directFactory, directFactory.with({ Swift.type(of: $0) == type }) else { return nil }
        return directFactory.unsafelyCast(as: type)
    }

    package var isDecorated: Bool { !decorators.isEmpty }
    var takesArguments: Bool { registration.takesArguments }

    /// Returns the entry after a registration of its key, or the old entry if the registration changes nothing.
    ///
    /// - Parameters:
    ///   - decorators: The decorators of the collection, for a contribution.
    ///   - forkID: The ID of the fork, if the container is one. Overriding an entry inherited from the forked container
    ///     doesn't count as a replacement.
    static func successor(
        of old: Entry?, by registration: Registration, decorators: [Registration] = [], in forkID: UInt? = nil
    ) -> Entry {
        if registration.isDecorator {
            return old?.decorated(by: [registration]) ?? Entry(registration, decorators: [registration])
        }
        guard let old else { return Entry(registration, decorators: decorators) }
        let isOverride = forkID.map { old.order < $0 } ?? false
        let replaced = old.isReplaced(by: registration) ? old.registration.site : old.replaced
        return Entry(registration, decorators: old.decorators, replacing: isOverride ? nil : replaced)
    }

    /// Whether another registration of the key replaces this one. The same registration replaces nothing.
    func isReplaced(by other: Registration) -> Bool {
        !other.isDecorator && !isDecoratorOnly && !registration.isSame(as: other)
    }

    /// Returns a copy for another container, with the last position in the order of registration.
    func copy() -> Entry {
        Entry(registration, decorators: decorators, order: UniqueID.next(), replacing: replaced, id: id)
    }

    /// Returns a copy without decorators and with the same position in the order.
    func undecorated() -> Entry { Entry(registration, order: order, replacing: replaced) }

    /// Returns a copy with more decorators and the same position in the order, or the entry itself if it has all of
    /// them.
    func decorated(by decorators: [Registration]) -> Entry {
        let others = decorators.without(self.decorators)
        return others.isEmpty
            ? self : Entry(registration, decorators: self.decorators + others, order: order, replacing: replaced)
    }
}

extension [Registration] {
    /// Returns the registrations that aren't among others.
    func without(_ others: [Registration]) -> [Registration] {
        filter { mine in !others.contains { $0.isSame(as: mine) } }
    }
}
