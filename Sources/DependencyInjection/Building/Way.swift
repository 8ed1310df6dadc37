/// The way from an entry to what a container keeps for it. A look-up goes it at each request that an entry forwards, and builds
/// nothing.
///
/// An alias forwards to its target, and a child's decorator to what a parent has. The container that keeps what a decorator makes
/// remembers of what it was made, by ``serials``: if something else is kept where the way ends, or the way leads elsewhere, the
/// instance is outdated. So nobody has to tell a child what its parent changes.
///
/// A way is valid during one read.
struct Way {
    /// Who keeps what the entry makes. For an alias without decorators, which makes nothing: who keeps what a decorator of it makes.
    fileprivate(set) var keeper: Keeper
    /// The entry that makes the instance: for an alias without decorators, the one to which it leads.
    fileprivate(set) var maker: Borrowed<Entry>
    /// What tells the sources from others: the serials of the entries whose instances do not stay, because what wraps them takes their
    /// place, then that of the instance at which the way ends. Empty where the entry itself has a factory, nil where the instance at
    /// the end is not built.
    fileprivate(set) var serials: [UInt]?
    /// What is kept and current.
    fileprivate(set) var instance: Borrowed<Instance>?
    /// The highest container that the way leads through.
    fileprivate(set) var top: Borrowed<ContainerCore>

    /// What is kept for exactly this entry, and current.
    func instance(by found: ContainerCore.Found) -> Borrowed<Instance>? { maker == found.entry ? instance : nil }

    /// How many entries may forward one after the other. A small stack has room for so many.
    static let longestForwarding = 16

    /// The serials of what is made of another instance, and kept under a key.
    static func serials(madeOf source: Instance, under key: Key, by keeper: Keeper) -> [UInt] {
        takesPlace(of: source.entry.key, source.keeper, under: key, by: keeper)
            ? source.way + [source.entry.serial] : [source.serial]
    }

    /// Whether what is kept under a key is put where its source was.
    fileprivate static func takesPlace(
        of sourceKey: Key, _ sourceKeeper: Borrowed<ContainerCore>, under key: Key, by keeper: Keeper
    ) -> Bool {
        keeper == .container(sourceKeeper) && sourceKey == key
    }
}

extension ContainerCore {
    /// The way of an entry that was found for this container; nil if it leads to nothing, or in a circle, which the slow path
    /// reports. Call it during a read.
    func way(of found: Found) -> Way? {
        var way = walk(from: found, after: 0)
        // What was made of another container's instance is no answer once that container is closed.
        if let top = way?.top, found.entry.with({ $0.mode == .forwarded }),
            nearest(upTo: top, { $0.with { $0.isClosing } ? $0 : nil }) != nil
        {
            way?.instance = nil
        }
        return way
    }

    /// What is kept and current of what an entry leads to, retained; nil also if the entry was replaced.
    func keptInstance(of entry: Entry, _ owner: ContainerCore) -> Instance? {
        ThreadRecord.reading { owner.found(entry).flatMap { way(of: $0)?.instance?.object } }
    }

    /// - Parameter steps: How many entries have forwarded so far.
    private func walk(from found: Found, after steps: Int) -> Way? {
        guard found.entry.with({ $0.mode == .forwarded }) else {
            let keeper = found.entry.with { self.keeper(of: $0, found.owner) }
            return Way(
                keeper: keeper, maker: found.entry, serials: [], instance: instance(of: found, keptBy: keeper, []),
                top: found.owner)
        }
        guard steps < Way.longestForwarding, let source = source(of: found),
            var way = walk(from: source, after: steps + 1)
        else { return nil }
        if found.owner.with({ $0.depth }) < way.top.with({ $0.depth }) { way.top = found.owner }
        let sourceKeeper = way.keeper
        way.keeper = sourceKeeper.lowered(to: found.owner)
        guard found.entry.with({ $0.isDecorated }) else { return way }
        let (key, sourceKey) = (found.entry.with { $0.key }, way.maker.with { $0.key })
        if case .container(let core) = sourceKeeper,
            Way.takesPlace(of: sourceKey, core, under: key, by: way.keeper)
        {
            way.serials?.append(way.maker.with { $0.serial })
        } else {
            way.serials = way.instance.map { [$0.with { $0.serial }] }
        }
        way.maker = found.entry
        way.instance = way.serials.flatMap { instance(of: found, keptBy: way.keeper, $0) }
        return way
    }

    /// The entry to which another forwards: the target of an alias, or what a parent has for the same key.
    private func source(of found: Found) -> Found? {
        found.entry.with { entry in
            if let target = entry.target { return target.with { find(registered: $0.key) } }
            return found.owner.with { $0.borrowedParent }?.with { $0.find(registered: entry.key) }
        }
    }

    /// The instance that is kept for exactly this entry, and was made by this way. Call it during a read.
    func instance(of found: Found, keptBy keeper: Keeper, _ serials: [UInt]) -> Borrowed<Instance>? {
        switch keeper {
        case .nobody: return nil
        case .graph: return RequestContext.member(by: found.entry, for: Borrowed(self), serials)
        case .container(let core):
            let kept =
                core == found.owner ? found.instance : core.with { $0.slot(found.entry.with { $0.key })?.instance }
            if let kept, kept.with({ Borrowed($0.entry) == found.entry && $0.way == serials }) { return kept }
            // An abandoned or closed container keeps no value, but the request may.
            guard core.with({ $0.isAbandoned || $0.isClosing }) else { return nil }
            return RequestContext.member(by: found.entry, for: core, serials)
        }
    }
}
