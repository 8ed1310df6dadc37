// Registering, unregistering, resetting and sealing.

internal import Synchronization

extension ContainerCore {
    /// Changes the tables and drops instances that become outdated; stops the program if the container is sealed.
    private func change(
        _ site: CallSite, _ type: any Any.Type = ContainerCore.self, _ name: RegistrationName? = nil,
        _ body: (inout Retirement) -> Void
    ) {
        let isInside = isHeldByCurrentThread
        let refusal = exclusively { () -> ResolutionError.Cause? in
            var retired = Retirement()
            if let seal = self.seal.load()?.object { return .sealed(at: seal.value) }
            if isClosing, !isBuilding(isOnQueue: isInside) { return closedCause }
            body(&retired)
            lastChange.store(Serial.next(), ordering: .relaxed)
            dropUnreachable(&retired)
            return nil
        }
        guard let refusal else { return }
        ResolutionError(
            Request(type, name, [], file: site.file, line: site.line), refusal, in: nil
        ).trap(file: site.file, line: site.line)
    }

    func register(_ registrations: [Registration], _ site: CallSite) {
        guard let first = registrations.first else { return }
        change(site, first.type, first.name) { install(registrations, &$0) }
    }

    /// Registers in a container that nobody else can see yet, and so needs no queue.
    func fill(_ registrations: [Registration]) {
        // Any change would copy a table that a fork shares.
        if registrations.isEmpty { return }
        var retired = Retirement()
        install(registrations, &retired)
    }

    func unregister(_ type: any Any.Type, _ key: Key, _ site: CallSite) {
        change(site, type, key.name) { retired in
            let decorators = entry(key)?.decorators ?? []
            put(decorators.first.map { Entry($0, decorators: decorators) }, key, &retired)
            put(nil, Key(expectationOf: type, key.name), &retired)
        }
    }

    /// Removes all instances, and the registrations as well if asked to.
    func removeAll(registrations: Bool, _ site: CallSite) {
        change(site) { retired in
            // The result of an asynchronous build that began earlier is not kept.
            resets.wrappingAdd(1, ordering: .relaxed)
            for instance in instances.elements(numberedBy: \.serial) { keepForClosing(instance) }
            if registrations {
                entries.removeAll(retiring: &retired)
                closers.replace(with: nil)
            }
            reportReset()
            instances.removeAll(numberedBy: \.serial, retiring: &retired)
        }
    }

    private func install(_ registrations: [Registration], _ retired: inout Retirement) {
        entries.reserve(registrations.count, retiring: &retired)
        for registration in registrations {
            if registration.isCloser {
                addCloser(registration)
                continue
            }
            let old = entry(registration.key)
            let new =
                if registration.isDecorator {
                    old?.decorated(by: [registration]) ?? Entry(registration, decorators: [registration])
                } else {
                    Entry(
                        registration, decorators: old?.decorators ?? [],
                        replacing: old?.replaced(by: registration) ?? [])
                }
            // A decorator that is there already changes nothing.
            if new === old { continue }
            put(new, registration.key, &retired)
            if isObserved { reportRegistration(registration, in: old) }
        }
    }

    /// Sets or removes the entry of a key, and drops its instance.
    func put(_ entry: Entry?, _ key: Key, _ retired: inout Retirement) {
        // The instance goes first, as long as it can be told what concerns it.
        put(nil, key, of: nil, &retired)
        entries.put(entry, at: key.word, where: { $0.key == key }, retiring: &retired)
    }

    func seal(_ site: CallSite) { exclusively { _ = seal.setIfEmpty(Box(site)) } }
}
