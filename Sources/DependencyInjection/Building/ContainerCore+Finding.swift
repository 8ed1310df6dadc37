// Looking things up. A reference borrowed here is valid until the end of the read; the writer may use it, too.

/// The result of a look-up, which builds nothing.
@usableFromInline enum Finding {
    /// The instance is built, and may be read on any thread.
    case ready(Borrowed<AnyObject>)
    /// The factory of this entry may be called at once; an alias has led to it, or none.
    case direct(Borrowed<Entry>, by: Borrowed<Entry>?)
    /// Only the slow path can answer.
    case slowPath
    /// Nothing is registered here or in a parent.
    case missing
}

extension ContainerCore {
    /// What a container has for a key.
    typealias Slot = SlotTable<Entry, Instance>.Slot

    /// An entry, the container that owns it, and what that keeps for the key. It is valid during one read.
    struct Found {
        let owner: Borrowed<ContainerCore>
        let entry: Borrowed<Entry>
        let instance: Borrowed<Instance>?
    }

    // MARK: Reading

    /// Finds what answers a type without a name.
    func find(_ type: ObjectIdentifier) -> Finding {
        // A word without a name is unique: see ``Key/word``.
        find(UInt(bitPattern: type), type, where: { _ in true })
    }

    /// Finds what answers a type and a name.
    func find(_ key: Key) -> Finding {
        find(key.word, key.type, where: { key.isKey(of: $0) })
    }

    @inline(__always) private func find(
        _ word: UInt, _ type: ObjectIdentifier, where isMeant: (Slot) -> Bool
    ) -> Finding {
        switch lookUp(word, where: isMeant) {
        case .ready(let instance): instance.with { $0.ready.map { .ready($0) } ?? .slowPath }
        case .entry(let found, let kept): follow(found, beside: kept, as: type)
        case .slowPath: .slowPath
        case nil: .missing
        }
    }

    /// What is found for a key by looking at each table once.
    private enum Lookup {
        /// An instance that may be read at once.
        case ready(Borrowed<Instance>)
        /// An entry, and what the container that is asked keeps for the key.
        case entry(Found, beside: Borrowed<Instance>?)
        /// This container or a parent is closed.
        case slowPath
    }

    /// Looks for an instance that is ready, or else for an entry: first here, then in the parents.
    private func lookUp(_ word: UInt, where isMeant: (Slot) -> Bool) -> Lookup? {
        if isClosing { return .slowPath }
        let own = slots.find(word, where: isMeant)
        let kept = own?.instance
        if let kept, kept.with({ $0.ready != nil }) { return .ready(kept) }
        if let entry = own?.entry {
            return .entry(Found(owner: Borrowed(self), entry: entry, instance: kept), beside: kept)
        }
        var next = borrowedParent
        while let core = next {
            if core.with({ $0.isClosing }) { return .slowPath }
            if let slot = core.with({ $0.slots.find(word, where: isMeant) }) {
                if let instance = slot.instance, instance.with({ $0.isShared && $0.ready != nil }) {
                    return .ready(instance)
                }
                if let entry = slot.entry {
                    return .entry(Found(owner: core, entry: entry, instance: slot.instance), beside: kept)
                }
            }
            next = core.with { $0.borrowedParent }
        }
        return nil
    }

    /// Finds what an entry leads to, by way of an alias or not: its factory or, if there is one, its current instance.
    private func follow(_ found: Found, beside kept: Borrowed<Instance>?, as type: ObjectIdentifier) -> Finding {
        // An alias without decorators answers with the target's instance, under another type.
        guard let target = found.entry.with({ $0.isDecorated ? nil : $0.target }) else {
            return followNoAlias(found, beside: kept) { instance in instance.with { $0.readyIfCurrent } }
        }
        switch target.with({ target in lookUp(target.key.word) { target.key.isKey(of: $0) } }) {
        case .ready(let instance): return instance.with { $0.view(type) }.map { .ready($0) } ?? .slowPath
        case .entry(let target, let kept):
            let finding = followNoAlias(target, beside: kept) { instance in
                instance.with { $0.readyIfCurrent == nil ? nil : $0.view(type) }
            }
            if case .direct(let entry, _) = finding { return .direct(entry, by: found.entry) }
            return finding
        case .slowPath, nil: return .slowPath
        }
    }

    /// Finds what an entry leads to that is no plain alias. The slow path answers if an observer has to be told.
    private func followNoAlias(
        _ found: Found, beside kept: Borrowed<Instance>?, _ box: (Borrowed<Instance>) -> Borrowed<AnyObject>?
    ) -> Finding {
        let instance: Borrowed<Instance>?
        switch found.entry.with({ $0.mode }) {
        case .transient:
            let isFree = !isObserved && found.owner.with { $0.watch == nil }
            return isFree && found.entry.with { $0.link != nil } ? .direct(found.entry, by: nil) : .slowPath
        // What is ready was found before.
        case .owned: return .slowPath
        case .graph: instance = RequestContext.member(by: found.entry, for: Borrowed(self), [])
        case .scoped: instance = kept.flatMap { kept in kept.with { Borrowed($0.entry) } == found.entry ? kept : nil }
        case .forwarded: instance = way(of: found)?.instance(by: found)
        }
        return instance.flatMap(box).map { .ready($0) } ?? .slowPath
    }
}

extension Key {
    /// Whether a slot, which was found by the word, is for this key.
    func isKey(of slot: ContainerCore.Slot) -> Bool {
        name == nil || (slot.entry?.with { $0.key == self } ?? slot.instance?.with { $0.entry.key == self } ?? false)
    }
}
