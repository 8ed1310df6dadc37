import DependencyInjection

/// Builds the nodes of a graph one after the other, and gathers what goes wrong.
struct BuildingSearch {
    /// Each fault of a plain factory keeps a thread, and the system has a few hundred of them for all queues.
    private static let abandonedLimit = 100

    private let container: DIContainer
    private let mode: BuildingValidation
    private let graph: DependencyGraph
    /// What shows without building anything.
    private let declared: [ValidationFinding]
    private(set) var findings: [ValidationFinding]
    private var errors: [ResolutionError] = []
    /// The registrations whose factories have failed or taken too long.
    private var failed: Set<ObjectIdentifier> = []
    /// The nodes that nobody has supplied with what they take.
    private var unchecked: Set<Int> = []
    private var copy: DIContainer
    private var abandonedCount = 0

    init(_ container: DIContainer, _ mode: BuildingValidation) {
        self.container = container
        self.mode = mode
        graph = container.graph
        declared = graph.findings()
        findings = declared
        copy = container.copiedTree()
    }

    mutating func run() async {
        let nodes = (0..<graph.visibleCount).filter { graph.nodes[$0].lifetime != nil }
        // What `await` builds comes first, as in `prepare()`.
        let order = nodes.filter(isAsync) + nodes.filter { !isAsync($0) }
        for (position, index) in order.enumerated() {
            if abandonedCount == Self.abandonedLimit {
                reportEnd(at: graph.nodes[index], unbuilt: order.count - position)
                return
            }
            await build(index)
        }
    }

    private func isAsync(_ index: Int) -> Bool { graph.nodes[graph.base(of: index)].isAsync }

    private mutating func build(_ index: Int) async {
        // An alias is built as what it leads to.
        let node = graph.nodes[index]
        let baseIndex = graph.base(of: index)
        let base = graph.nodes[baseIndex]
        let isMainActor = node.isMainActor || base.isMainActor
        let arguments = base.base.argumentTypes.isEmpty ? [] : mode.arguments(base)
        guard let arguments, mode.includesMainActor || !isMainActor else {
            let missing = arguments == nil ? "`arguments:`" : "`includingMainActor: true`"
            reportUnchecked(node, baseIndex, missing)
            return
        }
        // What has failed for another registration is not tried again.
        if base.isAsync, failed.contains(ObjectIdentifier(base.base)) { return }
        let trial = BuildingTrial(of: node.registration, arguments, limit: mode.limit)
        let outcome =
            isMainActor || base.isAsync
            ? await trial.await(in: copy, isMainActor: isMainActor) : await buildPlainly(trial)
        switch outcome {
        case .built: break
        case .failed(let error): report(error, of: node)
        case .abandoned(let error):
            abandonedCount += 1
            copy = container.copiedTree(takingOverFrom: copy)
            if let error {
                report(error, of: node)
            } else {
                failed.insert(ObjectIdentifier(base.base))
                reportBlocked(node)
            }
        }
    }

    /// Runs a plain factory. What it needs of asynchronous ones that are built for another container is awaited.
    private mutating func buildPlainly(_ trial: BuildingTrial) async -> BuildingTrial.Outcome {
        var last: Registration?
        while true {
            let outcome = await trial.buildPlainly(in: copy)
            guard case .failed(let error) = outcome, let needed = error.neededBuild else { return outcome }
            if failed.contains(ObjectIdentifier(needed)) { return .built }
            if needed === last { return outcome }
            last = needed
            let preparation = await trial.prepare(error)
            guard case .built = preparation else { return preparation }
        }
    }

    // MARK: Reporting

    private mutating func report(_ error: ResolutionError, of node: RegistrationInfo) {
        if let registration = error.failedRegistration { failed.insert(ObjectIdentifier(registration)) }
        // A fault in what many need shows many times.
        if errors.contains(where: error.isSame) || declared.contains(where: { $0.covers(error) }) { return }
        errors.append(error)
        var path = error.registrations
        if let registration = error.failedRegistration {
            path.append(registration)
        } else if path.isEmpty {
            path = [node.registration]
        }
        findings.append(ValidationFinding(.error(error.reason), error.label, path, error.message))
    }

    private mutating func reportUnchecked(_ node: RegistrationInfo, _ base: Int, _ missing: String) {
        // Of a function, another finding says that it is not what was meant.
        guard unchecked.insert(base).inserted, graph.nodes[base].mistakenFunction == nil else { return }
        let fault = Fault(.unchecked, "\(node.registration.label) was not built.", fix: "validate with \(missing).")
        findings.append(ValidationFinding(fault, [node]))
    }

    private mutating func reportBlocked(_ node: RegistrationInfo) {
        let fault = Fault(
            .blockedFactory, "Building \(node.registration.label) takes longer than \(mode.limit.description).",
            fix: "let it wait for nothing that a test does not have, or allow more time with `within:`.")
        findings.append(ValidationFinding(fault, [node]))
    }

    private mutating func reportEnd(at node: RegistrationInfo, unbuilt count: Int) {
        let fault = Fault(
            .unchecked,
            """
            \(Self.abandonedLimit) faults have each stopped a thread for good. So \(count) registrations, \
            \(node.registration.label) among them, were not built.
            """,
            fix: "mend what was found, and validate again.")
        findings.append(ValidationFinding(fault, [node]))
    }
}
