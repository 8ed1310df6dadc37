internal import Dispatch
internal import Synchronization

/// How ``DIContainer/validate(_:)`` builds what is registered: `.building`, or that with details.
public final class BuildingValidation: Sendable {
    /// Returns the arguments for a registration whose factory takes some, or nil.
    public typealias Arguments = @Sendable (RegistrationInfo) -> [any Sendable]?

    @usableFromInline let limit: Duration
    @usableFromInline let includesMainActor: Bool
    @usableFromInline let arguments: Arguments

    @usableFromInline init(_ limit: Duration, _ includesMainActor: Bool, _ arguments: @escaping Arguments) {
        (self.limit, self.includesMainActor, self.arguments) = (limit, includesMainActor, arguments)
    }

    /// Builds what takes no arguments and does not belong to the main actor.
    @_alwaysEmitIntoClient public static var building: BuildingValidation { building() }

    /// Builds everything for which there are arguments.
    /// - Parameters:
    ///   - limit: How long building one of them may take.
    ///   - includesMainActor: Whether to build what belongs to the main actor, too. A plain fault there stops the program.
    ///   - arguments: Returns the arguments for a registration whose factory takes some; nil leaves that unchecked.
    @_alwaysEmitIntoClient public static func building(
        within limit: Duration = .seconds(5), includingMainActor includesMainActor: Bool = false,
        arguments: @escaping Arguments = { _ in nil }
    ) -> BuildingValidation {
        BuildingValidation(limit, includesMainActor, arguments)
    }
}

extension DIContainer {
    /// Finds every fault that shows without building anything, and those that show when everything is built once.
    ///
    /// ```swift
    /// try await container.validate(.building { $0.type == DetailViewModel.self ? [42] : nil })
    /// ```
    /// It builds in a fork, so that this container's instances stay as they are, one registration after the other. What it does
    /// not build, for want of arguments or of the main actor, is a warning. May be called in any task.
    ///
    /// > Important: This is for tests. A factory that asks plainly for what is missing cannot be unwound. Nor can one that blocks.
    /// > The thread that runs it is abandoned for good, with the fork and with every lock that it holds, and another fork takes
    /// > what is left.
    /// - Returns: The warnings.
    /// - Throws: A ``DIContainer/ValidationError`` with everything found, if any of it is an error.
    @_alwaysEmitIntoClient @_optimize(none) @discardableResult
    public func validate(_ mode: BuildingValidation) async throws(ValidationError) -> [ValidationFinding] {
        let graph = graph
        var findings = graph.findings()
        func add(_ finding: ValidationFinding) {
            // What many need fails as often.
            if findings.contains(where: { $0.kind == finding.kind && $0.key == finding.key }) { return }
            findings.append(finding)
        }
        var fork = fork()
        for node in graph.nodes[..<graph.visibleCount] where node.lifetime != nil {
            let arguments = node.argumentTypes.isEmpty ? [] : mode.arguments(node)
            guard let arguments, mode.includesMainActor || !node.isMainActor else {
                let missing = arguments == nil ? "`arguments:`" : "`includingMainActor: true`"
                add(ValidationFinding((.unchecked, "\(node.key) was not built.", "validate with \(missing)."), [node]))
                continue
            }
            let (error, isAbandoned) = await fork.outcome(of: node, arguments, mode.limit)
            if isAbandoned { fork = self.fork() }
            if let error {
                let place = error.path.last ?? node.step
                add(ValidationFinding(.error(error.reason), error.key, error.path, at: place, "\(error)"))
            } else if isAbandoned {
                let text = "Building \(node.key) takes longer than \(mode.limit)."
                let fix = "let it wait for nothing that a test does not have, or allow more time with `within:`."
                add(ValidationFinding((.blockedFactory, text, fix), [node]))
            }
        }
        return try Self.report(findings)
    }

    /// Builds a registration, and returns what went wrong, and whether this container must not be used any more.
    @_alwaysEmitIntoClient func outcome(
        of node: RegistrationInfo, _ arguments: [any Sendable], _ limit: Duration
    ) async -> BuildThread.Outcome {
        let (outcomes, reports) = AsyncStream.makeStream(of: BuildThread.Outcome.self)
        if node.isMainActor {
            Task { @MainActor [core] in reports.yield((await core.failure(of: node.entry.subject, arguments), false)) }
        } else {
            let thread = BuildThread { reports.yield(($0, true)) }
            thread.run {
                _ = Task(executorPreference: thread) { [core] in
                    reports.yield((await core.failure(of: node.entry.subject, arguments), false))
                }
            }
        }
        let timer = Task {
            try await Task.sleep(for: limit)
            reports.yield((nil, true))
        }
        defer { timer.cancel() }
        return await outcomes.first { _ in true } ?? (nil, false)
    }
}

/// A thread of its own for one build, which it never leaves if a plain request in it fails.
@usableFromInline final class BuildThread: TaskExecutor, TestObserver {
    /// What went wrong, and whether the thread, and so the container, must not be used any more.
    @usableFromInline typealias Outcome = (error: ResolutionError?, isAbandoned: Bool)

    private let queue = DispatchQueue(label: "DependencyInjection.validate")
    private let abandon: @Sendable (ResolutionError) -> Void
    /// The thread that runs a job, or 0.
    private let thread = Atomic<UInt>(0)

    @usableFromInline init(_ abandon: @escaping @Sendable (ResolutionError) -> Void) { self.abandon = abandon }

    /// Runs work in whose tasks it is told of faults.
    @usableFromInline func run(_ work: () -> Void) { CurrentTest.$observer.withValue(self, operation: work) }

    @usableFromInline func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in
            thread.store(ThreadRecord.current.identity, ordering: .relaxed)
            job.runSynchronously(on: asUnownedTaskExecutor())
            thread.store(0, ordering: .relaxed)
        }
    }

    package func registration(_: Registration, answers _: ResolutionError, file _: StaticString) {}

    package func programStops(by error: ResolutionError, file _: StaticString, line _: UInt) {
        // Any other thread belongs to the pool of tasks, which needs it.
        if thread.load(ordering: .relaxed) != ThreadRecord.current.identity { return }
        abandon(error)
        ThreadRecord.sleepForever()
    }
}
