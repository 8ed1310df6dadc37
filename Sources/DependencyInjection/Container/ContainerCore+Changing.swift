// Registering, unregistering, resetting and sealing.

internal import Synchronization

extension ContainerCore {
    /// Changes the tables and drops instances that become outdated; stops the program if the container is sealed or
    /// closed.
    private func change(_ request: borrowing Request, _ body: (inout Retirement) -> Void) {
        changeUnlessRefused(request, body)?.trap(file: request.site.file, line: request.site.line)
    }

    /// Changes the tables and drops instances that become outdated; does nothing but return the error if the container is sealed
    /// or closed.
    func changeUnlessRefused(
        _ request: borrowing Request, _ body: (inout Retirement) -> Void
    ) -> ResolutionError? {
        let isNested = isHeldByCurrentThread
        return exclusively {
            if let error = changeRefusal(request, isNested: isNested) { return error }
            var retired = Retirement()
            body(&retired)
            dropOutdatedDerived(&retired)
            return nil
        }
    }

    /// The error for a change, if the container is sealed, or closed and this is not part of a build that began before.
    func changeRefusal(_ request: borrowing Request, isNested: Bool = false) -> ResolutionError? {
        if let seal = seal.load() {
            return ResolutionError(request, .sealed(at: seal.with { $0.value }), in: nil)
        }
        guard isClosing, !isBuilding(isOnQueue: isNested) else { return nil }
        return ResolutionError(request, closedCause, in: nil)
    }

    // An overlay hands changes on to its container.

    func register(_ registrations: [Registration], _ site: CallSite) {
        if let overlaid { return overlaid.register(registrations, site) }
        guard let first = registrations.first else { return }
        change(Request(for: first, [], at: site)) { install(registrations, &$0) }
    }

    /// Registers in a container that nobody else can see yet, and so needs no queue.
    func fill(_ registrations: [Registration]) {
        // An empty container needs no table.
        if registrations.isEmpty { return }
        var retired = Retirement()
        install(registrations, &retired)
    }

    func unregister(_ type: any Any.Type, _ key: Key, _ site: CallSite) {
        if let overlaid { return overlaid.unregister(type, key, site) }
        change(Request(type, key.name, [], file: site.file, line: site.line)) { retired in
            if let old = entry(key), old.registration != nil {
                let decorators = old.decorators
                replaceEntry(decorators.first.map { Entry($0, decorators: decorators) }, key, &retired)
            }
            replaceEntry(nil, Key(expectationOf: type, key.name), &retired)
        }
    }

    /// Removes all instances, and the registrations as well if asked to.
    func removeAll(registrations: Bool, _ site: CallSite) {
        if let overlaid { return overlaid.removeAll(registrations: registrations, site) }
        change(Request(toContainerAt: site)) { retired in
            // The result of an asynchronous build that began earlier is not kept.
            resets.wrappingAdd(1, ordering: .relaxed)
            keepAllForClosing()
            reportReset()
            dropInstances(&retired)
            if registrations {
                slots.removeAll(retiring: &retired)
                closers.replace(with: nil)
            }
        }
    }

    private func install(_ registrations: [Registration], _ retired: inout Retirement) {
        addClosers(among: registrations)
        slots.reserve(registrations.count, retiring: &retired)
        for registration in registrations where !registration.isCloser {
            let old = entry(registration.key)
            let new = Entry.made(by: registration, after: old, in: birth)
            // A decorator that is there already changes nothing.
            if new === old { continue }
            replaceEntry(new, registration.key, &retired)
            if isObserved { reportRegistration(registration, in: old) }
        }
    }

    /// Sets or removes the entry of a key, and drops what the old one has built.
    func replaceEntry(_ entry: Entry?, _ key: Key, _ retired: inout Retirement) {
        guard let kept = outermost(key)?.object else { return setEntry(entry, key, &retired) }
        // An instance goes to those that are to be closed as long as it can be told what concerns it.
        replace(with: kept.layers.first { $0.owner != Borrowed(self) }, key, &retired)
        // A registration hides what those of parents have built.
        let hidden = entry?.registration == nil ? nil : outermost(key)?.object
        hidden?.layers.forEach(keepForClosing)
        setEntry(entry, key, &retired)
        if hidden != nil { replace(with: nil, key, &retired, isKeptForClosing: true) }
    }

    /// Sets or removes the entry of a key, and leaves its instance alone.
    func setEntry(_ entry: Entry?, _ key: Key, _ retired: inout Retirement) {
        if entry?.subject.isExpectation == true { hasExpectations.store(true, ordering: .relaxed) }
        slots.put(entry: entry, at: key.word, where: { key.isKey(of: $0) }, retiring: &retired)
    }

    func seal(_ site: CallSite) {
        if let overlaid { return overlaid.seal(site) }
        exclusively { _ = seal.setIfEmpty(Box(site)) }
    }
}
