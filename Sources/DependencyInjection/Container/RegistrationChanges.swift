// Registering, unregistering, resetting and sealing.

internal import Synchronization

extension ContainerCore {
    /// Changes the table on the queue. Stops the program if the container is sealed or closed.
    ///
    /// In an `onClose` handler of this container, a refused change is a failure of the handler.
    private func change(_ request: Request, _ body: (inout DeferredRelease) -> Void) {
        guard let refusal = tryChange(request, body) else { return }
        if let handler = AsyncStep.all.first(where: { $0.closing != nil && $0.core === self }) {
            handler.refusedChanges.withLock { $0.append(refusal) }
        } else {
            stopProgram(refusal, at: request.site)
        }
    }

    /// Changes the table on the queue, or returns the error.
    private func tryChange(_ request: Request, _ body: (inout DeferredRelease) -> Void) -> ResolutionError? {
        let isOnQueue = enterQueue()
        defer { leaveQueue(isOnQueue) }
        let refusal = lifecycle.withLock { $0.refusalOfChange(isBuilding: isBuilding(isOnQueue: isOnQueue)) }
        if let refusal { return ResolutionError(request, refusedBy: refusal, in: self) }
        var retired = DeferredRelease()
        changes.withLock { _ in body(&retired) }
        return nil
    }

    /// Adds registrations in one change.
    func register(_ registrations: [Registration], at site: CallSite) {
        guard let first = registrations.first else { return }
        change(Request(for: first, [], at: site)) { install(registrations, &$0) }
    }

    /// Adds registrations to a new container. No other thread can reach the container, so the queue isn't necessary.
    func registerInitially(_ registrations: [Registration]) {
        // An empty container needs no table.
        if registrations.isEmpty { return }
        var retired = DeferredRelease()
        install(registrations, &retired)
    }

    /// Removes the registration of a key, with its contributions and decorators, and the declaration that children
    /// register the type.
    func unregister(_ type: any Any.Type, _ key: Key, at site: CallSite) {
        change(Request(type, key.name, [], file: site.file, line: site.line)) { retired in
            // Contributions are removed first, so that no request finds one without its target.
            unregisterContributions(key, &retired)
            setEntry(nil, key, &retired)
            setEntry(nil, Key(declarationOf: type, key.name), &retired)
        }
    }

    /// Removes all instances and, if requested, all registrations.
    func removeAll(registrations: Bool, at site: CallSite) {
        change(Request(toContainerAt: site)) { retired in
            // The result of an asynchronous build that began earlier isn't cached.
            resetCount.wrappingAdd(1, ordering: .relaxed)
            let instances = cachedInstances
            for instance in instances.reversed() { report(.released, instance.entry.registration) }
            for instance in instances { retired.add(instance) }
            report(.reset)
            table.removeInstances()
            if registrations { table.removeAll(retiring: &retired) }
        }
    }

    private func install(_ registrations: [Registration], _ retired: inout DeferredRelease) {
        table.reserve(registrations.count, retiring: &retired)
        for registration in registrations {
            let old = entry(registration.key)
            let collection = registration.collectionKey.flatMap(entry)
            let new = Entry.successor(
                of: old, by: registration, decorators: collection?.decorators ?? [], in: forkID)
            // Adding a decorator again changes nothing.
            if new === old { continue }
            setEntry(new, registration.key, &retired)
            if registration.isDecorator { decorateContributions(by: registration, &retired) }
            let replaced = old.flatMap { $0.isReplaced(by: registration) ? $0.registration : nil }
            report(replaced.map { .replaced($0) } ?? .registered, registration)
        }
    }

    /// Sets or removes the entry of a key. Releases the cached instance of the key. If the old entry is a decorated
    /// alias, also releases the instances that its decorators returned.
    func setEntry(_ entry: Entry?, _ key: Key, _ retired: inout DeferredRelease) {
        let slot = slot(key)
        let old = slot?.entry?.object
        // Before the instance is removed: a reader must not find the old entry of an asynchronous factory without it.
        put(entry, key, &retired)
        // A key without a slot has no instance.
        if let slot { setInstance(nil, key, in: slot, &retired) }
        if let old, old.aliasTarget != nil, old.isDecorated {
            for instance in cachedInstances { instance.removeBox(forDecorated: old) }
        }
    }

    /// Sets or removes the entry of a key, and releases no instance.
    func put(_ entry: Entry?, _ key: Key, _ retired: inout DeferredRelease) {
        if key.isContribution { mayHaveContributions.store(true, ordering: .relaxed) }
        table.put(entry: entry, at: key.word, where: { key.isKey(of: $0) }, retiring: &retired)
    }
}
