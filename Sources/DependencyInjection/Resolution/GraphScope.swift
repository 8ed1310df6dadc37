/// The objects that belong to one outermost request and everything it resolves, on one thread or in several tasks.
final class GraphScope: Sendable {
    private struct Contents {
        /// The number of steps that run in this scope. A build may outlive the request that started it if other
        /// requests are awaiting it.
        var users = 0
        /// Weakly held instances, which must live until the request completes.
        var boxes: [any AnyBox] = []
        /// The objects in these boxes.
        var boxed: Set<ObjectIdentifier> = []
        /// The instances of ``Graph`` registrations, and awaited instances that no container caches.
        var members: [Instance] = []
        /// The containers of the members, which an ``Instance`` doesn't retain. Without this list, a new child could
        /// have the address of a released one, and receive its members.
        var cores: [ContainerCore] = []

        var objects: [AnyObject] { members + boxes.map { $0 as AnyObject } }

        mutating func takeAll() -> Contents {
            defer { self = Contents() }
            return self
        }

        func member(of entry: Entry, builtBy core: UnretainedReference<ContainerCore>) -> Instance? {
            members.first { $0.entry === entry && $0.container == core }
        }
    }

    private let contents = Locked(Contents())

    /// The current scope, or `nil` if none has been created yet.
    private static var existing: GraphScope? {
        guard let attachment = ThreadRecord.current.attachment else { return AsyncStep.current?.graphScope }
        // Sound: nothing else is ever attached.
        return UnretainedReference(attachment).unsafelyCast(as: GraphScope.self).object
    }

    /// The current scope, created if necessary, or `nil` outside of every factory.
    static var current: GraphScope? {
        if let existing { return existing }
        let thread = ThreadRecord.current
        guard !thread.isIdle else { return nil }
        let scope = GraphScope()
        thread.attachment = scope
        return scope
    }

    /// Retains an object until the request completes. A value isn't retained, because no lookup finds it again.
    func retain(_ box: any AnyBox) {
        guard let object = box.object else { return }
        let identity = ObjectIdentifier(object)
        contents.withLock { if $0.boxed.insert(identity).inserted { $0.boxes.append(box) } }
    }

    /// The instance that the current graph has of an entry. The graph retains it until the outermost request completes.
    static func member(of entry: Entry, builtBy core: ContainerCore) -> UnretainedReference<Instance>? {
        existing?.contents.withLock { contents in
            contents.member(of: entry, builtBy: UnretainedReference(core)).map { UnretainedReference($0) }
        }
    }

    /// Adds an instance and returns it. If another task of the graph was faster, returns the instance of that task.
    func add(_ instance: Instance) -> Instance {
        contents.withLock { contents in
            if let member = contents.member(of: instance.entry, builtBy: instance.container) { return member }
            contents.members.append(instance)
            contents.cores.append(instance.container.object)
            return instance
        }
    }

    /// Records that a step runs in this scope.
    func enter() { contents.withLock { $0.users += 1 } }

    /// Releases everything in reverse order of construction, if no other step runs.
    func leave() {
        // `retired` is released after `last`, so that it holds the only references to the instances.
        var retired = DeferredRelease()
        let last = contents.withLock { contents in
            contents.users -= 1
            return contents.users > 0 ? Contents() : contents.takeAll()
        }
        // A task that a factory has left behind may be reading a member.
        for object in last.objects { retired.add(object) }
    }

    deinit {
        // No other thread can access them at this point.
        var objects = contents.withLock { $0.takeAll() }.objects
        while objects.popLast() != nil {}
    }
}
