// What is current: what a request would get of what is kept. Like ``ContainerCore/find(_:)``, it builds nothing.

extension ContainerCore {
    /// How many entries may forward to one another; more are a circle.
    static let longestForwarding = 10_000

    /// The current instance of an entry: the kept one, if what it was made of is still current. Builds nothing.
    func current(_ entry: Borrowed<Entry>, of owner: Borrowed<ContainerCore>) -> Borrowed<Instance>? {
        // The entries that forward to another, the outermost first.
        var forwarding: [Found] = []
        var found: Found = (owner, entry)
        while found.entry.with({ $0.mode == .forwarded }) {
            // The slow path reports a circle.
            guard forwarding.count < Self.longestForwarding, let next = source(of: found.entry, found.owner)
            else { return nil }
            forwarding.append(found)
            found = next
        }
        var keeper = found.entry.with { self.keeper(of: $0, found.owner) }
        var instance = found.entry.with { self.instance(by: $0, keptBy: keeper, madeOf: nil) }
        for (owner, entry) in forwarding.reversed() {
            guard let sourceSerial = instance?.with({ $0.serial }) else { return nil }
            keeper = keeper.lowered(to: owner)
            entry.with { if $0.isDecorated { instance = self.instance(by: $0, keptBy: keeper, madeOf: sourceSerial) } }
        }
        return instance
    }

    /// The instance that is kept for exactly this entry, and for what it wraps.
    func instance(by entry: Entry, keptBy keeper: Keeper, madeOf sourceSerial: UInt?) -> Borrowed<Instance>? {
        switch keeper {
        case .nobody: return nil
        case .graph: return RequestContext.member(by: entry, for: Borrowed(self), madeOf: sourceSerial)
        case .container(let core):
            if let layer = core.with({ $0.layer(by: entry) }), layer.with({ $0.sourceSerial == sourceSerial }) {
                return layer
            }
            // An abandoned or closed container keeps no value, but the request may.
            guard core.with({ $0.isAbandoned || $0.isClosing }) else { return nil }
            return RequestContext.member(by: entry, for: core, madeOf: sourceSerial)
        }
    }

    /// What this container keeps that exactly this entry has made, for a request or for what decorates it.
    private func layer(by entry: Entry) -> Borrowed<Instance>? {
        var next = outermost(entry.key)
        while let layer = next, layer.with({ $0.entry !== entry }) {
            next = layer.with { $0.inner.map { Borrowed($0) } }
        }
        return next
    }

    /// Whether this is the current instance of what the entry forwards to.
    func isSource(_ instance: Instance, of entry: Entry, _ owner: ContainerCore) -> Bool {
        ThreadRecord.reading {
            guard let next = source(of: Borrowed(entry), Borrowed(owner)) else { return false }
            return current(next.entry, of: next.owner) == Borrowed(instance)
        }
    }

    /// The entry that this one forwards to: the target of an alias, or what a parent has for the same key.
    private func source(of entry: Borrowed<Entry>, _ owner: Borrowed<ContainerCore>) -> Found? {
        entry.with { entry in
            if let target = entry.target { return target.with { nearestEntry($0.key) } }
            return owner.with { $0.borrowedParent }?.with { $0.nearestEntry(entry.key) }
        }
    }

    /// The current instance of an entry, retained.
    func current(_ entry: Entry, of owner: ContainerCore) -> Instance? {
        ThreadRecord.reading { current(Borrowed(entry), of: Borrowed(owner))?.object }
    }
}
