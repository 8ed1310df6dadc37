// Aliases, and what a child decorates of its parent's: entries whose instance is made of another entry's.

extension ContainerCore {
    /// Where the instance of an entry is kept.
    private struct Home {
        let core: ContainerCore
        let entry: Entry
        let isMainActor: Bool
        let isWeak: Bool
        let takesArguments: Bool
    }

    /// Where the instance that an entry leads to is kept, as seen from this container; nil if it is built anew each time,
    /// or if the entry leads nowhere or in a circle, which building it reports.
    private func home(of entry: Entry, _ owner: ContainerCore, depth: Int = 0) -> Home? {
        switch entry.registration.lifetime {
        case .new:
            return nil
        case .shared, .weak, .scoped:
            let isScoped = entry.registration.lifetime == .scoped
            return Home(
                core: isScoped ? self : owner,
                entry: isScoped && owner !== self ? local(for: entry, of: owner) : entry,
                isMainActor: entry.isMainActor, isWeak: entry.registration.lifetime == .weak,
                takesArguments: !entry.registration.argumentTypes.isEmpty)
        case .alias, .inherited:
            guard depth < 64, let base = base(of: entry, owner),
                let home = home(of: base.entry, base.owner, depth: depth + 1)
            else { return nil }
            // What it is made of may be a child's, and then belongs there with it.
            let core = home.core.chain(to: owner).last === owner ? home.core : owner
            return Home(
                core: core, entry: core === owner ? entry : core.local(for: entry, of: owner),
                isMainActor: entry.isMainActor || home.isMainActor, isWeak: home.isWeak,
                takesArguments: home.takesArguments)
        }
    }

    /// The entry that an entry forwards to.
    private func base(of entry: Entry, _ owner: ContainerCore) -> (owner: ContainerCore, entry: Entry)? {
        guard let target = entry.registration.target else { return owner.parent?.find(entry.registration.key) }
        return find(target.key)
    }

    /// A step on the way from an entry to the one that it is made of in the end.
    private struct Step {
        let base: Entry
        /// The containers that were searched for it, the one that has it last.
        let searched: [ContainerCore]
    }

    private func steps(from entry: Entry, _ owner: ContainerCore, depth: Int = 0) -> [Step] {
        guard depth < 64, entry.registration.lifetime == .alias || entry.registration.lifetime == .inherited,
            let base = base(of: entry, owner)
        else { return [] }
        let start = entry.registration.target == nil ? owner.parent ?? self : self
        let step = Step(base: base.entry, searched: start.chain(to: base.owner))
        return [step] + steps(from: base.entry, base.owner, depth: depth + 1)
    }

    /// The registrations and decorators that an entry leads to, which change if any of them is replaced.
    private func basis(of entry: Entry, _ owner: ContainerCore) -> [ObjectIdentifier] {
        let places = [(owner, entry)] + steps(from: entry, owner).map { ($0.searched.last ?? owner, $0.base) }
        return places.flatMap { owner, entry in
            [ObjectIdentifier(owner), ObjectIdentifier(entry.registration)]
                + entry.decorators.map { ObjectIdentifier($0) }
        }
    }

    /// What an entry forwards to; nil if a registration was replaced meanwhile.
    func forward(_ entry: Entry, of owner: ContainerCore, _ request: Request) throws(ResolutionError) -> Holder? {
        guard let home = home(of: entry, owner) else { return try build(entry, of: owner, request) }
        if home.isMainActor, home.entry.isBuilt { try checkMainActor(request) }
        if !home.takesArguments { try request.refuseArguments(in: self) }
        return try home.core.forwardKept(entry, of: owner, to: home, request)
    }

    private func forwardKept(
        _ entry: Entry, of owner: ContainerCore, to home: Home, _ request: Request
    ) throws(ResolutionError) -> Holder? {
        if let box = published(in: home.entry, isWeak: home.isWeak) { return box }
        return try exclusively { () throws(ResolutionError) -> Holder? in
            guard isCurrent(home.entry) else { return nil }
            if let box = published(in: home.entry, isWeak: home.isWeak) { return box }
            let place = home.entry.isBuilt ? renewed(home.entry) : home.entry
            let basis = basis(of: entry, owner)
            let box = try build(entry, of: owner, request)
            if home.isWeak { try request.refuseValue(box, in: self) }
            keepAlive(box, isWeak: home.isWeak)
            link(box, in: place, to: entry, owner, home, basis)
            return box
        }
    }

    /// Keeps an instance, to be cleared with whatever it was made of.
    private func link(
        _ box: Holder, in place: Entry, to entry: Entry, _ owner: ContainerCore, _ home: Home,
        _ basis: [ObjectIdentifier]
    ) {
        guard let base = base(of: entry, owner), let source = self.home(of: base.entry, base.owner) else { return }
        let dependent = Dependent(core: self, key: self.key(of: place), isLocal: place.isLocal, isMadeOfInstance: true)
        let steps = steps(from: entry, owner)
        // Whoever was searched in vain may come to answer a key itself.
        let furthest = steps.compactMap(\.searched.last).max { chain(to: $0).count < chain(to: $1).count }
        holding(chain(to: furthest)[...]) {
            // With the queues held, nobody can replace what it was made of; somebody may have done so before.
            guard source.entry.isBuilt, self.basis(of: entry, owner) == basis else { return }
            keep(box, in: place, isMainActor: home.isMainActor, isWeak: home.isWeak)
            guard place.isBuilt else { return }
            for step in steps {
                for core in step.searched { core.add(dependent, to: step.base.registration.key) }
            }
            if source.entry.isLocal { source.core.add(dependent, to: source.core.key(of: source.entry)) }
        }
    }
}
