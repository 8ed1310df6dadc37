/// An instance and the entry whose factory built it. The cache of a container, a graph, a request, or the list of
/// instances with `onClose` handlers retains it.
package final class Instance: Sendable {
    /// The container that built the instance.
    let container: UnretainedReference<ContainerCore>
    /// The entry whose factory built the instance.
    package let entry: Entry
    /// Unique, and greater than the ID of each instance that was built earlier.
    let id: UInt
    /// The ID of the instance without decorators that the `onClose` handlers receive. `nil` if there is no handler.
    let closableID: UInt?
    /// Whether the instance belongs to the cache of its container.
    let isCached: Bool
    /// The box, if any thread that finds the instance under its own key may read it.
    let lockFreeBox: UnretainedReference<AnyObject>?
    private let content: CachedBox
    private let aliasBoxes = AtomicReference<AliasBox>()

    /// Creates an instance for the cache of a container or, if it isn't cached, for one of the other lists.
    init(
        _ box: any AnyBox, of entry: Entry, builtBy container: ContainerCore, isCached: Bool, closableID: UInt? = nil
    ) {
        self.entry = entry
        self.container = UnretainedReference(container)
        self.isCached = isCached
        self.closableID = closableID
        id = UniqueID.next()
        content = CachedBox(box, isHeldWeakly: isCached && entry.isHeldWeakly)
        // A child's instance of a parent's entry is current only if the entry is.
        let isReadable = isCached && !entry.isMainActor && entry.cacheLocation == .owner
        lockFreeBox = isReadable ? content.lockFreeBox : nil
    }

    /// The box. `nil` if the instance was held weakly and has been released.
    package var box: (any AnyBox)? { content.box }

    /// The box, for a reader that has determined that the instance is current. `nil` if only the slow path may read it.
    var lockFreeBoxIfCurrent: UnretainedReference<AnyObject>? { entry.isMainActor ? nil : content.lockFreeBox }

    // MARK: Aliases

    /// Returns the box for the plain alias with a ``Key/identity``, if the alias was resolved before. Call it during a
    /// read.
    func box(forAliasWith identity: UInt64) -> UnretainedReference<AnyObject>? {
        firstAliasBox { $0.identity == identity && $0.alias == nil }?.with { $0.lockFreeBox }
    }

    /// Returns the box for a decorated alias, if the alias was resolved before. Call it during a read.
    func box(forDecorated alias: UnretainedReference<Entry>) -> UnretainedReference<AnyObject>? {
        firstAliasBox { $0.alias.map { UnretainedReference($0) } == alias }?.with { $0.lockFreeBox }
    }

    /// Returns the box for a decorated alias, retained. `nil` if there is none, or if it was held weakly and has been
    /// released.
    func retainedBox(forDecorated alias: Entry) -> (any AnyBox)? {
        ThreadRecord.reading { firstAliasBox { $0.alias === alias }?.object }?.box
    }

    private func firstAliasBox(where matches: (AliasBox) -> Bool) -> UnretainedReference<AliasBox>? {
        var next = aliasBoxes.load()
        while let box = next {
            if box.with(matches) { return box }
            next = box.with { $0.borrowedNext }
        }
        return nil
    }

    /// Stores the box of an alias, replacing another box of the same key. It is released together with this instance.
    ///
    /// - Returns: The stored box. If another task of the same graph was faster, the box of that task.
    @discardableResult func store(_ box: any AnyBox, for alias: Entry) -> any AnyBox {
        let isDecorated = alias.isDecorated
        // Converting the instance of a plain alias again costs less than storing a weak reference.
        if !isDecorated, case .weak = content { return box }
        let identity = alias.key.identity
        var first: (any AnyBox)?
        changeAliasBoxes { boxes in
            first = boxes.first { isDecorated ? $0.alias === alias : $0.alias == nil && $0.identity == identity }?.box
            if first != nil { return boxes }
            let new = AliasBox(
                CachedBox(box, isHeldWeakly: entry.isHeldWeakly), identity: identity, alias: isDecorated ? alias : nil)
            return boxes.filter { $0.identity != identity } + [new]
        }
        return first ?? box
    }

    /// Releases the box of a decorated alias that was replaced or decorated again.
    func removeBox(forDecorated alias: Entry) {
        changeAliasBoxes { $0.filter { $0.alias !== alias } }
    }

    private func changeAliasBoxes(_ change: ([AliasBox]) -> [AliasBox]) {
        let old: AliasBox? = Self.aliasBoxChanges.withLock { _ in
            let old = aliasBoxes.load().map { Array(sequence(first: $0.object) { $0.next }) } ?? []
            let new = change(old)
            if new.elementsEqual(old, by: ===) { return nil }
            return aliasBoxes.exchange(new.reversed().reduce(nil) { AliasBox($1, followedBy: $0) })
        }
        var retired = DeferredRelease()
        if let old { retired.add(old) }
    }

    /// One lock for all instances. A thread holds it only to exchange a list.
    private static let aliasBoxChanges = Locked<Bool>(false)
}

/// A box with the instance under the type of an alias, in the list of an ``Instance``. It is immutable.
private final class AliasBox: Sendable {
    /// The ``Key/identity`` of the alias.
    let identity: UInt64
    /// The entry of a decorated alias. `nil` for a plain alias.
    let alias: Entry?
    private let content: CachedBox
    let next: AliasBox?
    /// The next box, for readers that don't retain it.
    let borrowedNext: UnretainedReference<AliasBox>?

    init(_ content: CachedBox, identity: UInt64, alias: Entry?, followedBy next: AliasBox? = nil) {
        self.content = content
        self.identity = identity
        self.alias = alias
        self.next = next
        borrowedNext = next.map { UnretainedReference($0) }
    }

    /// Creates a copy for another list.
    convenience init(_ other: AliasBox, followedBy next: AliasBox?) {
        self.init(other.content, identity: other.identity, alias: other.alias, followedBy: next)
    }

    var box: (any AnyBox)? { content.box }
    var lockFreeBox: UnretainedReference<AnyObject>? { content.lockFreeBox }
}
