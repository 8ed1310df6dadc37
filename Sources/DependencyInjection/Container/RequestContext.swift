internal import Synchronization

/// Keeps what belongs to one outermost request and all that it leads to, on one thread or in several tasks.
final class RequestContext: Sendable {
    /// The boxes by their objects, and the containers of the members, so that no other container gets their addresses.
    private typealias Kept = (boxes: [ObjectIdentifier: any AnyBox], cores: [ContainerCore])

    private let kept = Guarded<Kept>(([:], []))
    /// The number of steps that run in this context. A step may outlive its request, because others wait for it, too.
    private let users = Atomic<Int>(0)
    /// The instances that ``Graph`` registrations have built; changed under the lock only.
    private let members = AtomicTable<Instance>()

    /// The current context, if there is one already.
    private static var known: RequestContext? {
        ThreadRecord.current.attachment.map { Borrowed($0).unsafelyCast().object } ?? AsyncStep.current?.context
    }

    /// The current context, made if need be; nil outside of every factory.
    static var current: RequestContext? {
        if let known { return known }
        let thread = ThreadRecord.current
        guard !thread.isIdle else { return nil }
        let context = RequestContext()
        thread.attachment = context
        return context
    }

    /// Keeps an object until the request is answered. A value is not kept, because nobody could find it again.
    func keepAlive(_ box: any AnyBox) {
        guard box.weakened != nil else { return }
        let object = ObjectIdentifier(box.instance as AnyObject)
        let old = kept.withLock { $0.boxes.updateValue(box, forKey: object) }
        withExtendedLifetime(old) {}
    }

    /// Finds the instance that the current graph has for an entry and a container. Call this during a read.
    static func member(
        by entry: Entry, for core: Borrowed<ContainerCore>, madeOf basis: UInt
    ) -> Borrowed<Instance>? {
        known?.members.find(Instance.word(entry.key, of: core)) {
            $0.entry === entry && $0.keeper == core && $0.basis == basis
        }
    }

    /// Adds an instance and returns it; if another task of the graph was quicker, returns the instance of that task.
    func add(_ instance: Instance) -> Instance {
        var retired = Retirement()
        return kept.withLock { kept in
            let known = ThreadRecord.reading {
                Self.member(by: instance.entry, for: instance.keeper, madeOf: instance.basis)?.object
            }
            if let known { return known }
            let word = Instance.word(instance.entry.key, of: instance.keeper)
            members.put(instance, at: word, where: { _ in false }, retiring: &retired)
            kept.cores.append(instance.keeper.object)
            return instance
        }
    }

    func enter() { users.wrappingAdd(1, ordering: .relaxed) }

    func leave() {
        if users.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { end() }
    }

    /// Lets everything go.
    private func end() {
        var retired = Retirement()
        let done = kept.withLock { kept in
            members.removeAll(retiring: &retired)
            defer { kept = ([:], []) }
            return kept
        }
        withExtendedLifetime(done) {}
    }
}
