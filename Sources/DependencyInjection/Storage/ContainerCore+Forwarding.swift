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

    /// Resolves what an entry forwards to; nil if a registration was replaced meanwhile.
    func forward<T>(_ entry: Entry, of owner: ContainerCore, _ request: Request) throws(ResolutionError) -> T? {
        guard let home = home(of: entry, owner) else {
            let instance: T = try convert(entry, owner, request)
            return instance
        }
        if home.isMainActor { try checkMainActor(request) }
        return try home.core.forwardKept(entry, of: owner, to: home, request)
    }

    private func forwardKept<T>(
        _ entry: Entry, of owner: ContainerCore, to home: Home, _ request: Request
    ) throws(ResolutionError) -> T? {
        if request.arguments.isEmpty, let instance = home.entry.published(as: T.self) { return instance }
        return try exclusively { () throws(ResolutionError) -> T? in
            guard isCurrent(home.entry) else { return nil }
            if request.arguments.isEmpty, let instance = home.entry.published(as: T.self) { return instance }
            let place = home.entry.isBuilt && request.arguments.isEmpty ? renewed(home.entry) : home.entry
            let instance: T = try convert(entry, owner, request)
            try link(instance, in: place, to: entry, owner, home)
            return instance
        }
    }

    /// Keeps an instance beside the one that it was made of, so that they go together.
    private func link<T>(
        _ instance: T, in place: Entry, to entry: Entry, _ owner: ContainerCore, _ home: Home
    ) throws(ResolutionError) {
        guard let base = base(of: entry, owner), let source = self.home(of: base.entry, base.owner) else { return }
        // While both queues are held, nobody can replace the one or the other.
        source.core.exclusively {
            guard source.core.isCurrent(source.entry), source.entry.isBuilt, !place.isBuilt else { return }
            keep(instance, in: place, isMainActor: home.isMainActor, isWeak: home.isWeak)
            guard place.isBuilt else { return }
            let key = place.origin.map { Key(ObjectIdentifier($0), nil) } ?? place.registration.key
            source.entry.addDependent(Dependent(core: self, key: key, isLocal: place.origin != nil))
        }
    }

    private func convert<T>(
        _ entry: Entry, _ owner: ContainerCore, _ request: Request
    ) throws(ResolutionError) -> T {
        let registration = entry.registration
        return try running(registration, request, entry) { () throws -> T in
            guard let target = registration.target else {
                guard let parent = owner.parent else { throw ResolutionError(request, .notRegistered, in: self) }
                return try decorated(resolve(T.self, request, startingAt: parent), by: entry)
            }
            let instance = try target.resolve(
                Request(target.type, key: target.key, request.arguments, request.site), in: self)
            guard let converted = instance as? T else {
                throw ResolutionError(
                    request, .typeMismatch(instance: "\(TypeName(Swift.type(of: instance)))"), in: self)
            }
            return try decorated(converted, by: entry)
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
