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
        ThreadRecord.current.gathered.map { Borrowed($0).unsafelyCast().object } ?? AsyncStep.current?.context
    }

    /// The current context, made if need be; nil outside of every factory.
    static var current: RequestContext? {
        if let known { return known }
        let thread = ThreadRecord.current
        guard !thread.isIdle else { return nil }
        let context = RequestContext()
        thread.gathered = context
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

    fileprivate func enter() { users.wrappingAdd(1, ordering: .relaxed) }

    @inline(never) fileprivate func leave() {
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

extension ThreadRecord {
    /// Pushes a frame for a registration; returns false if that is being built already, or if the stack has no room.
    ///
    /// The caller keeps the container and the registration until the factory returns, unless it lets the frame do that.
    /// - Parameters:
    ///   - site: Where it was asked for.
    ///   - owner: The owner of an entry that forwards to another. Several containers may have the same decorator.
    ///   - hasArguments: Whether the request has arguments, which a decorator hands on.
    func enter(
        _ core: Borrowed<ContainerCore>, _ registration: Borrowed<Registration>?, at site: CallSite,
        of owner: Borrowed<ContainerCore>? = nil,
        hasArguments: Bool = false, scope: ObjectIdentifier? = nil, keepsContainer: Bool = false,
        keepsRegistration: Bool = false
    ) -> Bool {
        let frame = Frame(
            container: core.unsafelyCast(), subject: registration?.unsafelyCast(), place: owner?.unsafelyCast(),
            scope: scope ?? ContainerScope.current?.identity, keepsContainer: keepsContainer,
            keepsSubject: keepsRegistration)
        if !isIdle {
            guard checkStackSpace() else { return false }
            let repetitions = frames.count {
                $0.subject == frame.subject && $0.container == frame.container && $0.place == frame.place
            }
            if let registration, repetitions > 0,
                repetitions > registration.with({ $0.permittedRepetitions(hasArguments) })
            {
                return false
            }
        }
        push(frame, at: site)
        return true
    }

    /// The registrations that are being built in this task and on this thread, the outermost first.
    var path: [Registration] { AsyncStep.path + frames.compactMap { $0.subject?.unsafelyCast().object } }

    /// Where the outermost request was made that this task and this thread are answering.
    var origin: CallSite? { AsyncStep.origin ?? (isIdle ? nil : own.pointee.origin) }

    /// The container of the innermost factory, and the scope in which the factory began.
    var innermost: (core: Borrowed<ContainerCore>, scope: ObjectIdentifier?)? {
        innermostFrame.map { ($0.container.unsafelyCast(), $0.scope) }
    }
}

extension Registration {
    /// How often building it may lead back to itself. Only arguments can end such a recursion; aliases and decorators
    /// hand on the request's arguments.
    func permittedRepetitions(_ hasArguments: Bool) -> Int {
        (takesArguments || hasArguments) && (lifetime == .new || isDecorator) ? 256 : 0
    }
}

// MARK: Asynchronous factories

/// Describes an asynchronous build: the entry, the container that it is built for, and the request.
///
/// An error carries it through plain factories to whoever awaits. Only an awaited request has arguments here, and its
/// error reaches nobody else, so that no error keeps arguments.
///
/// Unchecked because of these: ``Resolver/async(_:name:arguments:file:line:)`` takes only `Sendable` ones.
final class AsyncBuild: @unchecked Sendable {
    /// Identifies a build. With another entry or container, or after a release of all instances, it is another build.
    struct ID: Equatable {
        let core: ObjectIdentifier
        let installation: UInt
        let resets: Int
        var word: UInt { (UInt(bitPattern: core) &+ installation) | 1 }
    }

    let core: ContainerCore
    let entry: Entry
    /// The container that owns the entry.
    let owner: ContainerCore
    let request: Request
    let id: ID

    /// Nil if nobody can begin it: what a plain factory needs can be built ahead only if it takes no arguments and is kept.
    init?(_ entry: Entry, of owner: ContainerCore, for core: ContainerCore, _ request: borrowing Request) {
        guard request.isAwaited || entry.mode != .transient && request.arguments.isEmpty else { return nil }
        self.core = core
        self.owner = owner
        self.entry = entry
        self.request = request.forwarded(to: request.type, request.key)
        id = ID(core: ObjectIdentifier(core), installation: entry.serial, resets: core.resetCount)
    }
}

/// A step of the path that leads to an asynchronous factory. It is a task-local value.
final class AsyncStep: Sendable {
    @TaskLocal private static var innermost: AsyncStep?

    /// What is being built; nil if the step is a request.
    let build: AsyncBuild?
    /// Where it was asked for.
    private let site: CallSite
    let context: RequestContext
    private let parent: AsyncStep?
    /// Whether the step has ended. Tasks that were made in it may go on, and still see it.
    private let over = Atomic<Bool>(false)

    init(_ build: AsyncBuild?, at site: CallSite) {
        self.build = build
        self.site = site
        parent = Self.current
        context = parent?.context ?? RequestContext()
    }

    var isOver: Bool { over.load(ordering: .acquiring) }

    /// The innermost step that has not ended.
    static var current: AsyncStep? { living(from: innermost) }

    /// Skips the steps that have ended. A task that a factory has left behind is in no step.
    @inline(never) private static func living(from step: AsyncStep?) -> AsyncStep? {
        var next = step
        while let step = next, step.isOver { next = step.build == nil ? step.parent : nil }
        return next
    }

    /// The steps around this code, the innermost first.
    static var all: some Sequence<AsyncStep> {
        sequence(state: current) { next in
            defer { next = living(from: next?.parent) }
            return next
        }
    }

    /// The asynchronous registrations that are being built around this code, the outermost first.
    static var path: [Registration] { all.compactMap { $0.build?.entry.subject }.reversed() }

    /// Where the outermost step around this code was asked for.
    static var origin: CallSite? { all.reduce(nil) { _, step in step.site } }

    /// Runs work as if in no step.
    static func runOutside(_ work: () -> Void) { $innermost.withValue(nil, operation: work) }

    /// Runs an operation as the innermost step, where the caller runs.
    func run<T>(
        isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> T
    ) async throws -> T {
        context.enter()
        defer {
            over.store(true, ordering: .releasing)
            context.leave()
        }
        return try await Self.$innermost.withValue(self) {
            // The closure is isolated because it captures this.
            _ = isolation
            return try await operation()
        }
    }
}
