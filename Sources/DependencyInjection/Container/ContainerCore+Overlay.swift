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
            let new = Entry.made(by: registration, after: old, in: container.birth)
            if new !== old { setEntry(new, new.key, &retired) }
        }
        if container.isObserved { observers.replace(with: ThreadRecord.reading { container.observers.load()?.object }) }
    }

    /// The container that an overlay is for.
    var overlaid: ContainerCore? { isOverlay ? parent : nil }

    /// The container that answers in place of an overlay which has handed over all that it had.
    var successor: ContainerCore? {
        overlaid.flatMap { container in ThreadRecord.reading { slots.isEmpty } ? container : nil }
    }

    /// The container that keeps what a scoped entry makes for this one. An overlay keeps that of its own entries only.
    func keeperOfScoped(by owner: Borrowed<ContainerCore>) -> Borrowed<ContainerCore> {
        guard isOverlay, owner != Borrowed(self), let borrowedParent else { return Borrowed(self) }
        return borrowedParent
    }

    /// What an overlay builds before it is handed over. The next request builds aliases, what takes arguments, and what a plain
    /// factory makes on the main actor.
    var preparableInOverlay: [Registration] {
        ThreadRecord.reading { slots.entries() }.filter { entry in
            let isKept =
                entry.subject.lifetime == .shared || entry.subject.lifetime == .scoped && parent?.preparesScoped == true
            return isKept && entry.target == nil && !entry.takesArguments
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
            changeUnlessRefused(Request(for: registrations[0], [], at: site)) { retired in
                let current = ContainerCore(overlaying: self, with: registrations)
                let entries = current.slots.entries()
                isUpToDate =
                    entries.count == overlay.slots.entries().count
                    && entries.allSatisfy { overlay.entry($0.key)?.makesSame(as: $0) == true }
                if isUpToDate { takeOver(overlay, registrations, &retired) }
            }
        }
        if let refusal { throw refusal }
        return isUpToDate
    }

    private func takeOver(_ overlay: ContainerCore, _ registrations: [Registration], _ retired: inout Retirement) {
        if isObserved {
            for registration in registrations where !registration.isCloser {
                reportRegistration(registration, in: entry(registration.key))
            }
        }
        addClosers(among: registrations)
        // The instances come before the entries, so that readers find an old instance or the new one at every moment.
        var handedOver: Set<UInt> = []
        // What is made of nothing foreign.
        var own = Set(keptInstances.filter { !$0.traits.contains(.isMadeOfForeign) }.map(\.serial))
        for instance in overlay.keptInstances {
            // What the container had for a key may have been replaced meanwhile.
            let isMeant = overlay.isInstalled(instance.entry) || ThreadRecord.reading { isReachable(instance.entry) }
            guard isMeant else { continue }
            var traits = instance.traits
            // What the overlay made of this container's instance is made of its own now.
            if let source = instance.sourceSerial, own.contains(source) { traits.remove(.isMadeOfForeign) }
            if !traits.contains(.isMadeOfForeign) { own.insert(instance.serial) }
            handedOver.insert(instance.serial)
            adopt(instance, as: traits, &retired)
            if let held = outermost(instance.entry.key)?.object { keepForClosing(held) }
        }
        // What the overlay built and nobody gets any more is closed with the container.
        unclosed += overlay.unclosed.filter { !handedOver.contains($0.instance.serial) }
        overlay.unclosed = []
        for entry in overlay.slots.entries() {
            let isBuilt = outermost(entry.key).map { $0.with { $0.layers.contains { $0.entry === entry } } } ?? false
            if isBuilt { setEntry(entry, entry.key, &retired) } else { replaceEntry(entry, entry.key, &retired) }
        }
        overlay.dropInstances(&retired)
        overlay.slots.removeAll(retiring: &retired)
    }

    /// Closes and releases what an overlay has built and not handed over.
    func discard(after failure: (any Error)?, at site: CallSite) async {
        do { try await close(after: failure, at: site) } catch { StandardError.print("\(error)") }
        abandon()
    }
}

extension Entry {
    /// Whether two entries of a key make the same: by one registration, and with the same decorators.
    fileprivate func makesSame(as other: Entry) -> Bool {
        subject === other.subject && decorators.elementsEqual(other.decorators, by: ===)
    }
}
