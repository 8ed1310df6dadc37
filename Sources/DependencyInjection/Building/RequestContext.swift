/// Keeps what belongs to one outermost request and all that it leads to, on one thread or in several tasks.
final class RequestContext: Sendable {
    private struct Kept {
        /// The number of steps that run in this context. A step may outlive its request, because others wait for it, too.
        var users = 0
        /// The boxes by their objects.
        var boxes: [ObjectIdentifier: any AnyBox] = [:]
        /// The instances that ``Graph`` registrations have built.
        var members: [Instance] = []
        /// The containers of the members, so that no other container gets their addresses.
        var cores: [ContainerCore] = []

        func member(by entry: Borrowed<Entry>, for core: Borrowed<ContainerCore>, _ way: [UInt]) -> Instance? {
            members.first { Borrowed($0.entry) == entry && $0.keeper == core && $0.way == way }
        }
    }

    private let kept = Guarded(Kept())

    /// The current context, if there is one already.
    private static var known: RequestContext? {
        guard let attachment = ThreadRecord.current.attachment else { return AsyncStep.current?.requestContext }
        // Sound: nothing else is ever attached.
        return Borrowed(attachment).unsafelyCast(as: RequestContext.self).object
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
    func keep(_ box: any AnyBox) {
        guard let object = box.object else { return }
        let identity = ObjectIdentifier(object)
        let old = kept.withLock { $0.boxes.updateValue(box, forKey: identity) }
        withExtendedLifetime(old) {}
    }

    /// The instance that the current graph has for an entry and a container. It stays until the outermost request is answered.
    static func member(
        by entry: Borrowed<Entry>, for core: Borrowed<ContainerCore>, _ way: [UInt]
    ) -> Borrowed<Instance>? {
        known?.kept.withLock { $0.member(by: entry, for: core, way).map { Borrowed($0) } }
    }

    /// Adds an instance and returns it; if another task of the graph was quicker, returns the instance of that task.
    func add(_ instance: Instance) -> Instance {
        kept.withLock { kept in
            let known = kept.member(by: Borrowed(instance.entry), for: instance.keeper, instance.way)
            if let known { return known }
            kept.members.append(instance)
            kept.cores.append(instance.keeper.object)
            return instance
        }
    }

    func enter() { kept.withLock { $0.users += 1 } }

    /// Lets everything go if no other step runs.
    func leave() {
        // It goes after `done`, so that nobody else holds the members when it releases them, the last first.
        var retired = Retirement()
        let done: Kept? = kept.withLock { kept in
            kept.users -= 1
            if kept.users > 0 { return nil }
            defer { kept = Kept() }
            return kept
        }
        // A task that was left behind may be looking at a member.
        for member in done?.members ?? [] { retired.add(member) }
    }
}
