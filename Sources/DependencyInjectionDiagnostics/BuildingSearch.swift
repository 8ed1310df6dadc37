import DependencyInjection

/// Builds the nodes of a graph one after the other, and gathers what goes wrong.
struct BuildingSearch {
    /// Each fault of a plain factory keeps a thread, and the system has a few hundred of them for all queues.
    private static let abandonedLimit = 100

    let container: DIContainer
    let mode: BuildingValidation
    let graph: DependencyGraph
    /// At first what shows without building anything, which is not reported again.
    var findings: [ValidationFinding]
    var copy: DIContainer
    /// How many copies have a factory that never returned.
    var abandonedCount = 0
    /// The registrations whose factories have failed or taken too long.
    var failed: Set<ObjectIdentifier> = []
    /// The nodes that nobody has supplied with what they take.
    var unchecked: Set<Int> = []

    mutating func run() async {
        await buildAll()
        // A copy that was given up cannot be closed, since a thread is inside of it for good.
        for failure in await copy.failuresOfClosingTree() {
            let fix = String.alternatives(
                "remove the cause of that error", "register a stand-in that can be closed")
            report(
                .failedOnClose, failure.registration, fix: fix,
                "The `onClose` of \(name(failure.registration.label)) failed: \(String(describing: failure.error))")
        }
    }

    private mutating func buildAll() async {
        let nodes = (0..<graph.visibleCount).filter { graph.nodes[$0].lifetime != nil }
        // What `await` builds comes first, as in `prepare()`.
        let order = nodes.filter { graph.nodes[$0].isAsync } + nodes.filter { !graph.nodes[$0].isAsync }
        for (position, index) in order.enumerated() {
            if abandonedCount == Self.abandonedLimit {
                let node = graph.nodes[index]
                let fix = String.alternatives(
                    "fix the other findings, and validate again", "validate a child with stand-ins")
                return report(
                    .unchecked, node.registration, fix: fix,
                    """
                    \(Self.abandonedLimit) builds have each blocked a thread permanently. So \(order.count - position) \
                    registrations, \(name(node.label)) among them, were not built.
                    """)
            }
            await build(index)
        }
    }

    private mutating func build(_ index: Int) async {
        // An alias is built as what it leads to.
        let node = graph.nodes[index]
        let baseIndex = graph.base(of: index)
        let base = graph.nodes[baseIndex]
        let isMainActor = node.isMainActor
        let arguments = base.base.argumentTypes.isEmpty ? [] : mode.arguments(base)
        guard let arguments, mode.includesMainActor || !isMainActor else {
            // Of a function, another finding says that it is not what was meant.
            guard unchecked.insert(baseIndex).inserted, base.mistakenFunction == nil else { return }
            let lacksActor = isMainActor && !mode.includesMainActor
            let input = MissingInput(lacksArguments: arguments == nil, lacksMainActor: lacksActor)
            return findings.append(
                .unchecked(node.registration, base: base.base, lacking: input, graph.namesakes))
        }
        // What has failed for another registration is not tried again.
        if base.isAsync, failed.contains(ObjectIdentifier(base.base)) { return }
        let registration = node.registration
        let copy = copy
        let outcome =
            isMainActor || base.isAsync
            ? await BuildingTrial(of: node.registration, in: copy, limit: mode.limit).awaitBuild(
                onMainActor: isMainActor
            ) {
                await copy.awaitedBuildFailure(of: registration, arguments)
            } : await buildPlainly(node, arguments)
        if outcome.isAbandoned {
            abandonedCount += 1
            self.copy = container.copiedTree(takingOverFrom: copy)
        }
        if let error = outcome.error {
            report(error, of: node, baseIndex)
        } else if outcome.isAbandoned {
            failed.insert(ObjectIdentifier(base.base))
            let fix = String.alternatives(
                "remove the wait from the factory", "register a stand-in that does not wait",
                "allow more time: `.building(within: …)`")
            report(
                .blockedFactory, node.registration, fix: fix,
                "Building \(name(node.label)) takes longer than \(mode.limit).")
        }
    }

    /// Runs a plain factory. What it needs of asynchronous ones that are built for another container is awaited.
    private func buildPlainly(
        _ node: RegistrationInfo, _ arguments: [any Sendable], after last: Registration? = nil
    ) async -> BuildingTrial.Outcome {
        let (copy, registration) = (copy, node.registration)
        let outcome = await BuildingTrial(of: node.registration, in: copy, limit: mode.limit).buildPlainly {
            copy.buildPlainly(registration, arguments)
        }
        guard !outcome.isAbandoned, let missing = outcome.missing else { return outcome }
        let needed = missing.registration
        if failed.contains(ObjectIdentifier(needed)) { return BuildingTrial.Outcome() }
        if needed === last { return outcome }
        let preparation = await BuildingTrial(of: node.registration, in: copy, limit: mode.limit).awaitBuild {
            await missing.buildFailure()
        }
        if preparation.error != nil || preparation.isAbandoned { return preparation }
        return await buildPlainly(node, arguments, after: needed)
    }

    private mutating func report(
        _ kind: ValidationFinding.Kind, _ registration: Registration, fix: String, _ problem: String
    ) {
        findings.append(
            ValidationFinding(
                kind: kind, label: registration.label, subject: name(registration.label),
                registrations: [registration], problem: problem, fix: fix))
    }

    /// The type and the name, told apart from all others in the graph.
    private func name(_ label: Label) -> String { graph.namesakes.text(label) }

    private mutating func report(_ error: ResolutionError, of node: RegistrationInfo, _ base: Int) {
        if graph.nodes.contains(where: { $0.registration === error.expectation && !$0.isInherited }) {
            guard unchecked.insert(base).inserted else { return }
            let fix = """
                validate a child with a stand-in: `container.makeChild { \(error.label.registration()) }.validate(.building)`
                """
            return report(
                .unchecked, node.registration, fix: fix,
                "\(name(node.label)) was not built, because it needs \(name(error.label)), which children register.")
        }
        if let registration = error.failedRegistration { failed.insert(ObjectIdentifier(registration)) }
        // A fault in what many need shows many times.
        if findings.contains(where: { $0.covers(error) }) { return }
        var path = error.registrations + (error.failedRegistration.map { [$0] } ?? [])
        if path.isEmpty { path = [node.registration] }
        findings.append(
            ValidationFinding(
                kind: .error(error.reason), label: error.label, subject: name(error.label), registrations: path,
                problem: error.text(graph.namesakes), fix: nil, error: error))
    }
}
