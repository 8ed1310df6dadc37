// Overlays: what `prepare { … }` builds in, before it registers that in the container.

internal import Synchronization

extension ContainerCore {
    /// Makes an overlay of a container: a child that has the entries which the container would get by registrations. What is
    /// built by others is the container's own.
    convenience init(overlaying container: ContainerCore, with registrations: [Registration]) {
        self.init(parent: container, isOverlay: true)
        var retired = Retirement()
        addClosers(among: ThreadRecord.reading { container.ownClosers } + registrations)
        for registration in registrations where !registration.isCloser {
            let old = ThreadRecord.reading { entry(registration.key) ?? container.entry(registration.key) }
            let new = Entry.made(by: registration, after: old)
            if new !== old { putEntry(new, new.key, &retired) }
        }
        if container.isObserved { observers.replace(with: ThreadRecord.reading { container.observers.load()?.object }) }
    }

    /// The container that an overlay is for.
    var overlaid: ContainerCore? { isOverlay ? parent : nil }

    /// The container that answers in place of an overlay which has handed over all that it had.
    var successor: ContainerCore? {
        overlaid.flatMap { container in ThreadRecord.reading { entries.contents == nil } ? container : nil }
    }

    /// The container that keeps what a scoped entry makes for this one. An overlay keeps that of its own entries only.
    func keeperOfScoped(by owner: Borrowed<ContainerCore>) -> Borrowed<ContainerCore> {
        guard isOverlay, owner != Borrowed(self), let borrowedParent else { return Borrowed(self) }
        return borrowedParent
    }

    /// What an overlay builds before it is handed over. The next request builds aliases, what takes arguments, and what a plain
    /// factory makes on the main actor.
    var preparableInOverlay: [Registration] {
        ThreadRecord.reading { entries.elements }.filter { entry in
            let isKept =
                entry.subject.lifetime == .shared || entry.subject.lifetime == .scoped && parent?.isChild == true
            return isKept && entry.target == nil && !entry.traits.takesArguments
                && (entry.isAsync || !entry.isMainActor)
        }.map(\.subject)
    }

    /// Registers what an overlay has, with all that it has built, as one change. There is at least one registration.
    ///
    /// Returns false and changes nothing if the registrations would make something else by now, because their types were decorated
    /// meanwhile, for example.
    func takeOver(
        _ overlay: ContainerCore, with registrations: [Registration], _ site: CallSite
    ) throws(ResolutionError) -> Bool {
        var isUpToDate = false
        // The queue of a child comes before that of its parent.
        let refusal = overlay.exclusively {
            changeUnlessRefused(site, registrations[0].type, registrations[0].name) { retired in
                let current = ContainerCore(overlaying: self, with: registrations)
                let entries = current.entries.elements
                isUpToDate =
                    entries.count == overlay.entries.elements.count
                    && entries.allSatisfy { overlay.entry($0.key)?.makesSame(as: $0) == true }
                if isUpToDate { takeOver(overlay, registrations, &retired) }
            }
        }
        if let refusal { throw refusal }
        return isUpToDate
    }

    private func takeOver(_ overlay: ContainerCore, _ registrations: [Registration], _ retired: inout Retirement) {
        if isObserved {
            for registration in registrations { reportRegistration(registration, in: entry(registration.key)) }
        }
        addClosers(among: registrations)
        // The instances come before the entries, so that readers find an old instance or the new one at every moment.
        for built in overlay.instances.elements(numberedBy: { $0.serial }) {
            // What the container had for a key may have been replaced meanwhile.
            guard overlay.isInstalled(built.entry) || isReachable(built.entry), let box = built.box,
                let instance = Instance(
                    box, in: self, by: built.entry, of: built.owner.flatMap(foreign), madeOf: built.basis, built.traits,
                    serial: built.serial)
            else { continue }
            if instance.owner != nil || instance.basis != 0 { prepareToKeepForeign() }
            if instance.basis != 0 { derived.append(instance) }
            put(instance, instance.entry.key, of: instance.owner, &retired)
            keepForClosing(instance)
        }
        overlay.unclosed = []
        for entry in overlay.entries.elements {
            putEntry(entry, entry.key, &retired)
            let isBuilt = instances.find(entry.key.word) { $0.entry === entry } != nil
            if !isBuilt { put(nil, entry.key, of: nil, &retired) }
        }
        overlay.entries.removeAll(retiring: &retired)
        overlay.instances.removeAll(retiring: &retired)
        overlay.derived = []
        overlay.lastSweep.store(.max, ordering: .relaxed)
    }

    /// Closes and releases what an overlay has built and not handed over.
    func discard(after failure: (any Error)?, at site: CallSite) async {
        do { try await close(after: failure, at: site) } catch { ThreadRecord.complain("\(error)") }
        abandon()
    }
}

extension Entry {
    /// Whether two entries of a key make the same: by one registration, and with the same decorators.
    fileprivate func makesSame(as other: Entry) -> Bool {
        subject === other.subject && decorators.elementsEqual(other.decorators, by: ===)
    }
}
