/// Tells ``DIContainer/validate(_:)`` how to build what is registered: `.building`, or that with details.
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
    ///   - limit: How long building one registration may take.
    ///   - includesMainActor: Whether to build what belongs to the main actor, too. A plain fault there stops the program.
    ///   - arguments: Returns the arguments for a registration whose factory takes some; nil leaves it unchecked.
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
    /// It builds one registration after the other, beginning with those that are awaited. It does so in a copy of the
    /// container and its parents, whose own instances stay as they are. A registration that is not built, for want of
    /// arguments or of the main actor, is a warning. May be called in any task; if the task is cancelled, it goes on to
    /// the end.
    ///
    /// > Important: This is for tests. Swift cannot unwind a factory that asks plainly for what is missing, or that
    /// > blocks. The thread that runs it is abandoned for good, with the copy and with every lock that the thread
    /// > holds, and another copy takes the rest. A task that a factory begins itself runs elsewhere: a fault there
    /// > stops the program. What needs a factory that blocks waits as long again, and is reported, too. An asynchronous
    /// > factory that two tasks ask for at once may run twice.
    /// - Returns: The warnings.
    /// - Throws: A ``DIContainer/ValidationError`` with everything found, if any of it is an error.
    @_alwaysEmitIntoClient @_optimize(none) @discardableResult
    public func validate(_ mode: BuildingValidation) async throws(ValidationError) -> [ValidationFinding] {
        let graph = graph
        let declared = graph.findings()
        var (findings, errors, copy) = (declared, [ResolutionError](), copiedTree())
        let nodes = (0..<graph.visibleCount).filter { graph.nodes[$0].lifetime != nil }
        let isAsync = { (node: Int) in graph.nodes[graph.base(of: node)].isAsync }
        // What `await` builds comes first, as in `prepare()`, and again in each new copy.
        var (rest, prepared) = (nodes.filter(isAsync) + nodes.filter { !isAsync($0) }, [Int]())
        while !rest.isEmpty {
            let index = rest.removeFirst()
            // An alias is built as what it leads to.
            let (node, base) = (graph.nodes[index], graph.nodes[graph.base(of: index)])
            let isMainActor = node.isMainActor || base.isMainActor
            let arguments = base.subject.argumentTypes.isEmpty ? [] : mode.arguments(base)
            guard let arguments, mode.includesMainActor || !isMainActor else {
                let missing = arguments == nil ? "`arguments:`" : "`includingMainActor: true`"
                let text = "\(node.step.key) was not built."
                findings.append(ValidationFinding((.unchecked, text, "validate with \(missing)."), [node]))
                continue
            }
            let (error, isAbandoned) = await copy.outcome(of: node, arguments, isMainActor: isMainActor, mode.limit)
            if isAbandoned { (copy, rest, prepared) = (copiedTree(), prepared + rest, []) }
            if error == nil, !isAbandoned, base.isAsync { prepared.append(index) }
            // A fault in what many need shows many times.
            if let error, !errors.contains(where: error.isSame), !declared.contains(where: { $0.covers(error) }) {
                errors.append(error)
                let path = error.path + (error.failed.map { [$0] } ?? (error.path.isEmpty ? [node.step] : []))
                findings.append(ValidationFinding(.error(error.reason), error.key, path, "\(error)"))
            } else if error == nil, isAbandoned {
                let text = "Building \(node.step.key) takes longer than \(mode.limit)."
                let fix = "let it wait for nothing that a test does not have, or allow more time with `within:`."
                findings.append(ValidationFinding((.blockedFactory, text, fix), [node]))
            }
        }
        return try Self.report(findings)
    }

    /// Builds a registration, and returns what went wrong, and whether this container must not be used any more.
    @_alwaysEmitIntoClient func outcome(
        of node: RegistrationInfo, _ arguments: [any Sendable], isMainActor: Bool, _ limit: Duration
    ) async -> BuildThread.Outcome {
        let (outcomes, reports) = AsyncStream.makeStream(of: BuildThread.Outcome.self)
        if isMainActor {
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
            try await Task.sleep(for: min(limit, .seconds(1_000_000_000)))
            reports.yield((nil, true))
        }
        defer { timer.cancel() }
        // It is a task of its own, since this one may be cancelled and would then hear of nothing.
        return await Task { await outcomes.first { _ in true } }.value ?? (nil, true)
    }
}

/// Runs one build on threads of its own, one for each step. A thread in which a plain request fails never goes on.
@usableFromInline final class BuildThread: TaskExecutor, TestObserver {
    /// What went wrong, and whether the thread, and so the container, must not be used any more.
    @usableFromInline typealias Outcome = (error: ResolutionError?, isAbandoned: Bool)

    private let abandon: @Sendable (ResolutionError) -> Void

    @usableFromInline init(_ abandon: @escaping @Sendable (ResolutionError) -> Void) { self.abandon = abandon }

    /// Runs work, and is told of faults in the tasks that the work makes.
    @usableFromInline func run(_ work: () -> Void) { CurrentTest.$observer.withValue(self, operation: work) }

    @usableFromInline func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        ThreadRecord.detach { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    package func registration(_: Registration, answers _: ResolutionError, file _: StaticString) {}

    package func programStops(by error: ResolutionError, file _: StaticString, line _: UInt) {
        // Any other thread belongs to the pool of tasks, which needs it.
        if !ThreadRecord.current.isSpare { return }
        abandon(error)
        ThreadRecord.sleepForever()
    }
}
