internal import Synchronization

/// What belongs to one outermost request and to all that it leads to, on one thread or in several tasks.
///
/// Unchecked because of `kept`, which is used on the queue only.
final class RequestContext: @unchecked Sendable {
    /// One for all contexts: few requests need theirs, and only for a moment.
    private static let queue = ReentrantSerialQueue()

    private var kept: [any AnyBox] = []
    /// What registrations of the lifetime ``Lifetime/graph`` have built.
    private let members = AtomicTable<Member>()

    /// An instance, and the container that it was built for, which cannot give way to another while this is kept.
    private final class Member: Sendable {
        let core: ContainerCore
        let instance: Instance

        init(_ instance: Instance, for core: ContainerCore) {
            self.core = core
            self.instance = instance
        }
    }

    /// The context of the code that runs now; nil outside of every factory, and where nothing has needed it yet.
    private static var known: RequestContext? {
        ThreadRecord.current.gathered.map { Borrowed($0).trusted().object } ?? AsyncStep.current?.context
    }

    /// The context of the code that runs now; nil outside of every factory.
    static var current: RequestContext? {
        if let known { return known }
        let thread = ThreadRecord.current
        guard !thread.isIdle else { return nil }
        let context = RequestContext()
        thread.gathered = context
        return context
    }

    /// Keeps an object that its container does not keep until the request is answered. (A value could not be found again.)
    func keepAlive(_ box: any AnyBox) {
        guard box.weakened != nil else { return }
        let object = box.instance as AnyObject
        Self.queue.sync { if !kept.contains(where: { $0.instance as AnyObject === object }) { kept.append(box) } }
    }

    /// What the graph that is being built has of an entry for a container. Only during a read.
    static func member(
        by entry: Entry, for core: Borrowed<ContainerCore>, madeOf basis: UInt
    ) -> Borrowed<Instance>? {
        known?.members.find(Instance.word(entry.key, of: core)) {
            $0.instance.entry === entry && $0.instance.keeper == core && $0.instance.basis == basis
        }?.with { Borrowed($0.instance) }
    }

    /// Adds what was built for a container, unless another task of the graph was quicker; returns what counts.
    func add(_ instance: Instance, for core: ContainerCore) -> Instance {
        Self.queue.sync {
            let known = ThreadRecord.reading {
                Self.member(by: instance.entry, for: Borrowed(core), madeOf: instance.basis)?.object
            }
            if let known { return known }
            var retired = Retirement()
            let word = Instance.word(instance.entry.key, of: Borrowed(core))
            members.put(Member(instance, for: core), at: word, where: { _ in false }, retiring: &retired)
            retired.release()
            return instance
        }
    }

    /// Lets everything go.
    func end() {
        var retired = Retirement()
        let done = Self.queue.sync { () -> [any AnyBox] in
            defer { kept = [] }
            members.removeAll(retiring: &retired)
            return kept
        }
        retired.release()
        withExtendedLifetime(done) {}
    }
}

extension ThreadRecord {
    /// Makes what builds a registration the innermost factory; false if that is being built already, or if the stack has no room
    /// for it.
    ///
    /// - Parameter isHeld: Whether the caller keeps the container until the factory returns.
    func enter(
        _ core: Borrowed<ContainerCore>, _ registration: Borrowed<Registration>?, scope: ObjectIdentifier? = nil,
        isHeld: Bool
    ) -> Bool {
        let frame = Frame(
            container: core.trusted(), subject: registration?.trusted(),
            scope: scope ?? ContainerScope.current?.identity)
        if !isIdle {
            guard checkStackSpace() else { return false }
            if let registration, closesCycle(frame, registration) { return false }
        }
        push(frame, isHeld: isHeld)
        return true
    }

    private func closesCycle(_ frame: Frame, _ registration: Borrowed<Registration>) -> Bool {
        let repetitions = frames.count { $0.subject == frame.subject && $0.container == frame.container }
        return repetitions > 0 && repetitions > registration.with { $0.permittedRepetitions }
    }

    /// The registrations that are being built on this thread, the outermost first.
    var path: [Registration] { frames.compactMap { $0.subject?.trusted().object } }

    /// The container of the innermost factory, which its frame keeps, and the scope in which that began.
    var innermost: (core: Borrowed<ContainerCore>, scope: ObjectIdentifier?)? {
        innermostFrame.map { ($0.container.trusted(), $0.scope) }
    }
}

extension Registration {
    /// How often building it may lead back to itself: only arguments can end such a recursion.
    var permittedRepetitions: Int { lifetime == .new && takesArguments ? 256 : 0 }
}

// MARK: Asynchronous factories

/// What an asynchronous build is for: an entry, the container that it is built for, and who asked.
///
/// Unchecked because of the request's arguments: ``Resolver/async(_:name:arguments:file:line:)`` takes only `Sendable` ones,
/// and a request that a plain factory made is awaited only if it has none.
final class AsyncBuild: @unchecked Sendable {
    /// Tells one build from another: of another entry, for another container, or after all instances were released.
    struct ID: Equatable {
        let core: ObjectIdentifier
        let installation: UInt
        let resets: Int
    }

    let core: ContainerCore
    let entry: Entry
    /// The container whose entry it is.
    let owner: ContainerCore
    let request: Request
    let id: ID

    init(_ entry: Entry, of owner: ContainerCore, for core: ContainerCore, _ request: Request) {
        self.core = core
        self.owner = owner
        self.entry = entry
        self.request = request
        id = ID(core: ObjectIdentifier(core), installation: entry.serial, resets: core.resetCount)
    }
}

/// A step of the path that leads to an asynchronous factory, as a task-local value.
final class AsyncStep: Sendable {
    @TaskLocal private static var innermost: AsyncStep?

    /// What is being built; nil for the request that is the outermost step.
    let build: AsyncBuild?
    let context: RequestContext
    private let parent: AsyncStep?
    /// Whether it has ended. Tasks that it made may go on, and see the step all the same.
    private let over = Atomic<Bool>(false)

    init(_ build: AsyncBuild?) {
        let parent = Self.current
        self.build = build
        self.parent = parent
        context = parent?.context ?? RequestContext()
    }

    /// The innermost step that has not ended.
    static var current: AsyncStep? { living(from: innermost) }

    private static func living(from step: AsyncStep?) -> AsyncStep? {
        var next = step
        while let step = next, step.over.load(ordering: .acquiring) { next = step.parent }
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

    /// Runs an operation as the innermost step, where the caller runs.
    func run<T>(
        isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> T
    ) async throws -> T {
        defer {
            over.store(true, ordering: .releasing)
            if parent == nil { context.end() }
        }
        return try await Self.$innermost.withValue(self) {
            // To capture it is what isolates the closure.
            _ = isolation
            return try await operation()
        }
    }
}
