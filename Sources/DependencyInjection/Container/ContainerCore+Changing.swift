// Registering, unregistering, resetting and sealing.

internal import Synchronization

extension ContainerCore {
    /// Changes the tables and drops instances that become outdated; stops the program if the container is sealed.
    private func change(
        _ site: CallSite, _ type: any Any.Type = ContainerCore.self, _ name: RegistrationName? = nil,
        _ body: (inout Retirement) -> Void
    ) {
        let seal = exclusively { () -> Box<CallSite>? in
            var retired = Retirement()
            if let seal = self.seal.load()?.object { return seal }
            body(&retired)
            lastChange.store(Serial.next(), ordering: .relaxed)
            if keepsForeign { dropUnreachable(&retired) } else { dropOutdated(&retired) }
            return nil
        }
        guard let sealed = seal?.value else { return }
        ResolutionError(
            Request(type, name, [], file: site.file, line: site.line), .sealed(at: sealed), in: nil
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
            if registrations { entries.removeAll(retiring: &retired) }
            reportReset()
            instances.removeAll(numberedBy: \.serial, retiring: &retired)
        }
    }

    private func install(_ registrations: [Registration], _ retired: inout Retirement) {
        entries.reserve(registrations.count, retiring: &retired)
        for registration in registrations {
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
    private func put(_ entry: Entry?, _ key: Key, _ retired: inout Retirement) {
        entries.put(entry, at: key.word, where: { $0.key == key }, retiring: &retired)
        put(nil, key, of: nil, &retired)
    }

    func seal(_ site: CallSite) { exclusively { _ = seal.setIfEmpty(Box(site)) } }
}
