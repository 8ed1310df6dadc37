internal import Synchronization

extension ContainerCore {
    // MARK: The collection of a type

    /// The registrations of a type and the contributions to it, a child's before its parent's, each in the order of
    /// registration. A contribution is omitted if an alias of the type has the same target.
    package func collectedEntries(of type: any Any.Type) -> [Entry] {
        let entries = visibleEntries {
            $0.key.isRequested(as: type) || $0.registration.isContribution(to: type)
        }
        let aliases = entries.filter { !$0.registration.isContribution && $0.aliasTarget != nil }
        if aliases.isEmpty { return entries }
        return entries.filter { entry in
            guard entry.registration.isContribution, let target = entry.aliasTarget?.object else { return true }
            return !aliases.contains { $0.aliasTarget?.object.key == target.key }
        }
    }

    /// Resolves the collection of a type.
    func collection<T>(of type: T.Type, _ request: Request) throws -> [T] {
        try boxes(of: type, request).map { $0.value(as: type) }
    }

    private func boxes(of type: any Any.Type, _ request: Request) throws -> [any AnyBox] {
        try request.refuseArguments()
        // All elements belong to one graph.
        let thread = try pushFrame(request)
        defer { thread.pop() }
        let name = request.key.name
        let entries = collectedEntries(of: type).filter { name == nil || $0.key.name == name }
        if entries.isEmpty { try checkSelfAndParentsOpen(request) }
        return try entries.compactMap {
            // Nil if another thread has unregistered the type.
            try resolve(request.forwarded(to: type, $0.key))?.box
        }
    }

    /// Whether this container or a parent has a contribution to the collection of a type.
    package func hasContributions(to type: any Any.Type) -> Bool {
        selfAndParents.contains { core in
            ThreadRecord.reading { !core.table.entries { $0.registration.isContribution(to: type) }.isEmpty }
        }
    }

    // MARK: Changes. Call these functions on the queue.

    /// The container's own contributions.
    private var contributions: [Entry] {
        mayHaveContributions.load(ordering: .relaxed) ? table.entries { $0.registration.isContribution } : []
    }

    /// Wraps the container's own contributions to a type with a decorator of that type.
    func decorateContributions(by decorator: Registration, _ retired: inout DeferredRelease) {
        for entry in contributions where entry.registration.isRegistered(as: decorator.key) {
            let decorated = entry.decorated(by: [decorator])
            if decorated !== entry { setEntry(decorated, entry.key, &retired) }
        }
    }

    /// Removes the contributions of the registrations of a key, and the decorators of the contributions to that key.
    func unregisterContributions(_ key: Key, _ retired: inout DeferredRelease) {
        for entry in contributions {
            let origin = entry.aliasTarget?.object ?? entry.registration
            if origin.isRegistered(as: key) {
                setEntry(nil, entry.key, &retired)
            } else if entry.isDecorated, entry.registration.isRegistered(as: key) {
                setEntry(entry.undecorated(), entry.key, &retired)
            }
        }
    }

    // MARK: Misplaced decorators

    /// The decorators of a key in the containers below an owner that only decorate it. Call it during a read.
    func decorators(of key: Key, below owner: ContainerCore) -> [Registration] {
        let entries = selfAndParents.prefix { $0 !== owner }.compactMap { $0.entry(key) }
        return entries.filter(\.isDecoratorOnly).flatMap(\.decorators)
    }
}
