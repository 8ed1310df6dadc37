// Registering, unregistering, resetting and sealing.

internal import Synchronization

extension ContainerCore {
    /// Changes the tables and drops instances that become outdated; stops the program if the container is sealed or
    /// closed.
    private func change(_ request: borrowing Request, _ body: (inout Retirement) -> Void) {
        let isNested = isHeldByCurrentThread
        let refusal: ResolutionError? = exclusively {
            if let error = changeRefusal(request, isNested: isNested) { return error }
            var retired = Retirement()
            body(&retired)
            return nil
        }
        refusal?.trap(file: request.site.file, line: request.site.line)
    }

    /// The error for a change, if the container is sealed, or closed and this is not part of a build that began before.
    private func changeRefusal(_ request: borrowing Request, isNested: Bool) -> ResolutionError? {
        if let seal = seal.load() {
            return ResolutionError(request, .sealed(at: seal.with { $0.value }), in: nil)
        }
        guard isClosing, !isBuilding(isOnQueue: isNested) else { return nil }
        return ResolutionError(request, closedCause, in: nil)
    }

    func register(_ registrations: [Registration], _ site: CallSite) {
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
        change(Request(type, key.name, [], file: site.file, line: site.line)) { retired in
            if let old = entry(key), !old.isDecoratorOnly {
                let decorators = old.decorators
                replaceEntry(decorators.first.map { Entry($0, decorators: decorators) }, key, &retired)
            }
            replaceEntry(nil, Key(expectationOf: type, key.name), &retired)
        }
    }

    /// Removes all instances, and the registrations as well if asked to.
    func removeAll(registrations: Bool, _ site: CallSite) {
        change(Request(toContainerAt: site)) { retired in
            // The result of an asynchronous build that began earlier is not kept.
            resets.wrappingAdd(1, ordering: .relaxed)
            // What was built last is released first.
            for instance in keptInstances {
                report(.released, instance.entry.registration)
                retired.add(instance)
            }
            report(.reset)
            slots.removeInstances()
            if registrations { slots.removeAll(retiring: &retired) }
        }
    }

    private func install(_ registrations: [Registration], _ retired: inout Retirement) {
        slots.reserve(registrations.count, retiring: &retired)
        for registration in registrations {
            let old = entry(registration.key)
            let new = Entry.successor(of: old, by: registration, in: birth)
            // A decorator that is there already changes nothing.
            if new === old { continue }
            replaceEntry(new, registration.key, &retired)
            let replaced = old.flatMap { $0.isReplaced(by: registration) ? $0.registration : nil }
            report(replaced.map { .replaced($0) } ?? .registered, registration)
        }
    }

    /// Sets or removes the entry of a key, and drops what is kept for the key.
    func replaceEntry(_ entry: Entry?, _ key: Key, _ retired: inout Retirement) {
        replace(with: nil, key, &retired)
        setEntry(entry, key, &retired)
    }

    /// Sets or removes the entry of a key, and leaves its instance alone.
    func setEntry(_ entry: Entry?, _ key: Key, _ retired: inout Retirement) {
        slots.put(entry: entry, at: key.word, where: { key.isKey(of: $0) }, retiring: &retired)
    }

    func seal(_ site: CallSite) {
        exclusively { _ = seal.setIfEmpty(Box(site)) }
    }
}
