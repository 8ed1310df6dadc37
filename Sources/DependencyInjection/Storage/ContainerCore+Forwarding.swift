// Aliases, and what a child decorates of its parent's: entries whose instance is made of another entry's.

extension ContainerCore {
    /// Where the instance of an entry is kept.
    private struct Home {
        let core: ContainerCore
        let entry: Entry
        let isMainActor: Bool
        let isWeak: Bool
    }

    /// Where the instance that an entry leads to is kept, as seen from this container; nil if it is built anew each time.
    private func home(of entry: Entry, _ owner: ContainerCore) -> Home? {
        switch entry.registration.lifetime {
        case .new:
            return nil
        case .shared, .weak:
            return Home(
                core: owner, entry: entry, isMainActor: entry.isMainActor,
                isWeak: entry.registration.lifetime == .weak)
        case .scoped:
            return Home(
                core: self, entry: owner === self ? entry : local(for: entry), isMainActor: entry.isMainActor,
                isWeak: false)
        case .alias, .inherited:
            guard let base = base(of: entry, owner), let home = home(of: base.entry, base.owner) else { return nil }
            // What it is made of may be a child's, and then belongs there with it.
            let core = home.core.descends(from: owner) ? home.core : owner
            return Home(
                core: core, entry: core === owner ? entry : core.local(for: entry),
                isMainActor: entry.isMainActor || home.isMainActor, isWeak: home.isWeak)
        }
    }

    /// The entry that an entry forwards to.
    private func base(of entry: Entry, _ owner: ContainerCore) -> (owner: ContainerCore, entry: Entry)? {
        guard let target = entry.registration.target else { return owner.parent?.find(entry.registration.key) }
        return find(target.key)
    }

    private func descends(from other: ContainerCore) -> Bool {
        var next: ContainerCore? = self
        while let core = next {
            if core === other { return true }
            next = core.parent
        }
        return false
    }

    /// What an entry forwards to; nil if a registration was replaced meanwhile.
    func forward(_ entry: Entry, of owner: ContainerCore, _ request: Request) throws(ResolutionError) -> Holder? {
        guard let home = home(of: entry, owner) else { return try build(entry, of: owner, request) }
        if home.isMainActor { try checkMainActor(request) }
        return try home.core.forwardKept(entry, of: owner, to: home, request)
    }

    private func forwardKept(
        _ entry: Entry, of owner: ContainerCore, to home: Home, _ request: Request
    ) throws(ResolutionError) -> Holder? {
        if request.arguments.isEmpty, let box = home.entry.published { return box }
        return try exclusively { () throws(ResolutionError) -> Holder? in
            guard isCurrent(home.entry) else { return nil }
            if request.arguments.isEmpty, let box = home.entry.published { return box }
            let place = home.entry.isBuilt && request.arguments.isEmpty ? renewed(home.entry) : home.entry
            let box = try build(entry, of: owner, request)
            link(box, in: place, to: entry, owner, home)
            return box
        }
    }

    /// Keeps an instance beside the one that it was made of, so that they go together.
    private func link(_ box: Holder, in place: Entry, to entry: Entry, _ owner: ContainerCore, _ home: Home) {
        guard let base = base(of: entry, owner), let source = self.home(of: base.entry, base.owner) else { return }
        // While both queues are held, nobody can replace the one or the other.
        source.core.exclusively {
            guard source.core.isCurrent(source.entry), source.entry.isBuilt, !place.isBuilt else { return }
            keep(box, in: place, isMainActor: home.isMainActor, isWeak: home.isWeak)
            guard place.isBuilt else { return }
            let key = place.origin.map { Key(ObjectIdentifier($0), nil) } ?? place.registration.key
            source.entry.addDependent(Dependent(core: self, key: key, isLocal: place.origin != nil))
        }
    }
}

extension Entry {
    /// Remembers an entry made of this one's instance, and forgets those that are gone when their number has doubled.
    func addDependent(_ dependent: Dependent) {
        if dependents.count == dependents.capacity { dependents.removeAll { $0.core == nil } }
        dependents.append(dependent)
    }
}
