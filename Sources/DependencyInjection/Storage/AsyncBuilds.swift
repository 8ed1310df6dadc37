internal import Synchronization

/// What an asynchronous build is for: an entry, the container that it is built for, and who asked.
///
/// Unchecked because of the request's arguments: ``Resolver/async(_:name:arguments:_:file:line:)`` takes only `Sendable` ones,
/// and a request that a plain factory made is awaited only if it has none.
struct AsyncBuild: @unchecked Sendable {
    let core: ContainerCore
    let entry: Entry
    let request: Request
}

/// A step of the path that leads to an asynchronous factory, as a task-local value.
final class AsyncStep: Sendable {
    @TaskLocal static var current: AsyncStep?

    let build: AsyncBuild
    let parent: AsyncStep?
    /// Whether the factory has returned. Tasks that it made may go on, and see the step all the same.
    private let over = Atomic<Bool>(false)

    var isOver: Bool { over.load(ordering: .acquiring) }

    init(_ build: AsyncBuild, parent: AsyncStep?) {
        self.build = build
        self.parent = parent
    }

    /// The asynchronous registrations that are being built around this code, the outermost first.
    static var path: [Registration] {
        var path: [Registration] = []
        var next = current
        while let step = next {
            if !step.isOver { path.append(step.build.entry.registration) }
            next = step.parent
        }
        return path.reversed()
    }

    /// Runs a factory as the innermost step, with its container as the current one.
    static func run<T>(_ build: AsyncBuild, _ factory: () async throws -> T) async throws -> T {
        let step = AsyncStep(build, parent: current)
        if step.closesCycle { throw ResolutionError(build.request, .cycle) }
        defer { step.over.store(true, ordering: .releasing) }
        do {
            return try await $current.withValue(step) {
                try await ContainerScope.$current.withValue(ContainerScope(build.core, nil), operation: factory)
            }
        } catch let error as CancellationError where Task.isCancelled {
            throw error
        } catch {
            throw ResolutionError(wrapping: error, build.request, in: build.core)
        }
    }

    /// Whether a step further out builds the same, and neither arguments nor the depth let it end.
    private var closesCycle: Bool {
        var repetitions = 0
        var next = parent
        while let step = next {
            if !step.isOver, step.build.entry === build.entry, step.build.core === build.core { repetitions += 1 }
            next = step.parent
        }
        return repetitions > build.entry.registration.permittedRepetitions
    }
}

/// Knows the asynchronous builds that are under way, so that all who ask for one wait for the same.
///
/// The actor only keeps the books; factories run elsewhere. There is one for all containers, since builds of several may
/// wait for one another.
actor AsyncBuilds {
    static let shared = AsyncBuilds()

    /// A build that is under way. Used on the actor only, but for its identity.
    private final class Flight: @unchecked Sendable {
        let entry: Entry
        var task: Task<Void, Never>?
        var waiters: [Int: CheckedContinuation<Holder, any Error>] = [:]
        /// The builds that this one waits for.
        var needs: [Int: Flight] = [:]

        init(_ entry: Entry) { self.entry = entry }

        func leads(to other: Flight) -> Bool {
            var seen: Set<ObjectIdentifier> = []
            var next = [self]
            while let flight = next.popLast() {
                if flight === other { return true }
                if seen.insert(ObjectIdentifier(flight)).inserted { next += flight.needs.values }
            }
            return false
        }
    }

    private var flights: [ObjectIdentifier: Flight] = [:]
    private var tickets = 0

    /// Waits until the entry is built, and starts the build if nobody has. The box keeps an instance that nobody else does.
    func wait(for build: AsyncBuild, within step: AsyncStep?) async throws -> Holder {
        if let box = build.entry.published { return box }
        let flight = flights[ObjectIdentifier(build.entry)] ?? start(build)
        let dependent = nearestFlight(of: step)
        if let dependent, flight.leads(to: dependent) { throw ResolutionError(build.request, .cycle, in: build.core) }
        tickets += 1
        let ticket = tickets
        dependent?.needs[ticket] = flight
        defer { dependent?.needs[ticket] = nil }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Holder, any Error>) in
                // A task that was cancelled before has run the handler below already.
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                    stopIfUnwanted(flight)
                } else {
                    flight.waiters[ticket] = continuation
                }
            }
        } onCancel: {
            Task { await self.cancel(ticket, of: flight) }
        }
    }

    /// The build, in this task or around it, that will wait.
    private func nearestFlight(of step: AsyncStep?) -> Flight? {
        var next = step
        while let step = next {
            if !step.isOver, let flight = flights[ObjectIdentifier(step.build.entry)] { return flight }
            next = step.parent
        }
        return nil
    }

    private func start(_ build: AsyncBuild) -> Flight {
        let flight = Flight(build.entry)
        flights[ObjectIdentifier(build.entry)] = flight
        flight.task = Task {
            let outcome: Result<Holder, any Error>
            do {
                outcome = .success(try await Self.perform(build))
            } catch { outcome = .failure(error) }
            finish(flight, outcome)
        }
        return flight
    }

    @concurrent
    private static func perform(_ build: AsyncBuild) async throws -> Holder {
        try await build.entry.registration.buildAsync(build)
    }

    private func finish(_ flight: Flight, _ outcome: Result<Holder, any Error>) {
        remove(flight)
        for continuation in flight.waiters.values { continuation.resume(with: outcome) }
        flight.waiters = [:]
    }

    private func cancel(_ ticket: Int, of flight: Flight) {
        flight.waiters.removeValue(forKey: ticket)?.resume(throwing: CancellationError())
        stopIfUnwanted(flight)
    }

    /// Cancels a build that nobody waits for any more; the next who asks starts another.
    private func stopIfUnwanted(_ flight: Flight) {
        guard flight.waiters.isEmpty else { return }
        flight.task?.cancel()
        remove(flight)
    }

    private func remove(_ flight: Flight) {
        if flights[ObjectIdentifier(flight.entry)] === flight { flights[ObjectIdentifier(flight.entry)] = nil }
    }
}

extension ContainerCore {
    /// Resolves, and awaits one asynchronous build after another for as long as the answer is that one must come first.
    func resolveAsync<T>(_ type: T.Type, _ request: Request) async throws -> T {
        var request = request
        request.isAwaited = true
        // What was built for this request stays alive until it is answered, also if the container keeps nothing.
        var built: [Holder] = []
        var last: Entry?
        while true {
            let missing: ResolutionError
            do { return try resolve(type, request) } catch { missing = error }
            guard let build = missing.pending else { throw missing }
            // What a plain factory asks for with arguments, or does not keep, cannot be built ahead of it.
            let isAwaited = build.request.isAwaited
            if build.entry.registration.lifetime == .new {
                guard isAwaited else { throw missing }
                return try await makeAsync(type, request)
            }
            guard isAwaited || build.request.arguments.isEmpty else { throw missing }
            if build.entry === last {
                // It was built, but is not kept. (Had it been replaced meanwhile, there would be another entry to wait for.)
                guard isAwaited, build.request.key == request.key, let box = built.last else { throw missing }
                return box.value(as: type)
            }
            last = build.entry
            built.append(try await AsyncBuilds.shared.wait(for: build, within: AsyncStep.current))
        }
    }

    /// Builds what is asynchronous and kept for a key, and does not ask for what this container makes of a parent's.
    func prepare(_ registration: Registration, _ site: CallSite) async throws {
        var request = Request(registration.type, key: registration.key, [], site)
        request.isAwaited = true
        var last: Entry?
        while let start = preparable(registration.key) {
            let missing: ResolutionError
            do {
                _ = try box(for: request, startingAt: start)
                return
            } catch { missing = error }
            guard let build = missing.pending else {
                // Built, and for the main actor only.
                if case .mainActorRequired = missing.reason { return }
                throw missing
            }
            // Built, but not kept; what was replaced meanwhile has another entry.
            if build.entry === last { return }
            last = build.entry
            _ = try await AsyncBuilds.shared.wait(for: build, within: AsyncStep.current)
        }
    }

    /// The container whose asynchronous registration answers a key, behind what is only decorated.
    private func preparable(_ key: Key) -> ContainerCore? {
        var start = self
        while let (owner, entry) = start.find(key) {
            guard entry.registration.lifetime == .inherited, let parent = owner.parent else {
                return entry.registration.isAsync ? owner : nil
            }
            start = parent
        }
        return nil
    }

    /// Builds what a `New(async:)`, or an alias or decorator in front of one, answers.
    func makeAsync<T>(
        _ type: T.Type, _ request: Request, startingAt start: ContainerCore? = nil
    ) async throws -> T {
        guard let (owner, entry) = (start ?? self).find(request.key) else {
            if start == nil, let synthesized = type as? any Synthesized.Type {
                return try await makeAsync(synthesized, request)
            }
            throw ResolutionError(request, .notRegistered, in: self)
        }
        switch entry.registration.lifetime {
        case .inherited:
            let base: T = try await makeAsync(type, request, startingAt: owner.parent)
            return try entry.registration.typed(as: type).decorated(base, by: entry, in: self)
        case .alias:
            let alias = entry.registration.asAlias(of: type)
            let target = alias.aliased
            let instance = try await target.makeAsync(request.forwarded(to: target.type, target.key), in: self)
            return try alias.decorated(alias.converted(instance, request), by: entry, in: self)
        default:
            // The registration may have been replaced meanwhile.
            guard entry.registration.isAsync, entry.registration.lifetime == .new else {
                return try resolve(type, request)
            }
            if entry.isMainActor { try checkMainActor(request) }
            return try await entry.registration.typed(as: type)
                .make(AsyncBuild(core: self, entry: entry, request: request))
        }
    }

    private func makeAsync<S: Synthesized, T>(_ type: S.Type, _ request: Request) async throws -> T {
        identityCast(try await S.makeAsync(in: self, request), to: T.self)
    }
}
