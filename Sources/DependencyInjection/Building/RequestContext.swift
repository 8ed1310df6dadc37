/// Keeps what belongs to one outermost request and all that it leads to, on one thread or in several tasks.
final class RequestContext: Sendable {
    private struct Kept {
        /// The number of steps that run in this context. A step may outlive its request, because others wait for it, too.
        var users = 0
        /// What holds the objects that nobody else may hold.
        var boxes: [any AnyBox] = []
        /// The objects in these boxes.
        var boxed: Set<ObjectIdentifier> = []
        /// The instances that ``Graph`` registrations have built.
        var members: [Instance] = []
        /// The containers of the members, so that no other container gets their addresses.
        var cores: [ContainerCore] = []

        /// What has to be released.
        var objects: [AnyObject] { members + boxes.map { $0 as AnyObject } }

        mutating func takeAll() -> Kept {
            defer { self = Kept() }
            return self
        }

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
        kept.withLock { if $0.boxed.insert(identity).inserted { $0.boxes.append(box) } }
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
        // It goes after `done`, so that nobody else holds the instances when it releases them, the last first.
        var retired = Retirement()
        let done = kept.withLock { kept in
            kept.users -= 1
            return kept.users > 0 ? Kept() : kept.takeAll()
        }
        // A task that was left behind may be looking at a member.
        for object in done.objects { retired.add(object) }
    }

    deinit {
        // Nobody else can see them any more. What came last goes first.
        var objects = kept.withLock { $0.takeAll() }.objects
        while objects.popLast() != nil {}
    }
}
