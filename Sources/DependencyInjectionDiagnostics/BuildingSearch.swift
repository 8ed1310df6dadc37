import DependencyInjection

/// Builds the nodes of a graph one after the other, and gathers the failures.
struct BuildingSearch {
    /// Each fault of a plain factory blocks a thread permanently, and the system has a few hundred threads for all queues.
    private static let abandonedLimit = 100

    let container: DIContainer
    let mode: BuildingValidation
    let graph: DependencyGraph
    /// The findings that show without building anything, and then those of the builds.
    var findings: [ValidationFinding]
    var copy: DIContainer
    /// The number of copies with a factory that never returned.
    var abandonedCount = 0
    /// The registrations whose factories have failed or taken too long.
    var failed: Set<ObjectIdentifier> = []
    /// The nodes that were not built for lack of an input.
    var unchecked: Set<Int> = []

    mutating func run() async {
        await buildAll()
        // An abandoned copy cannot be closed, because a thread is blocked inside it.
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
        // Asynchronous factories come first, as in `prepare()`.
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
        // An alias is built as its target.
        let node = graph.nodes[index]
        let baseIndex = graph.base(of: index)
        let base = graph.nodes[baseIndex]
        let isMainActor = node.isMainActor
        let arguments = base.base.argumentTypes.isEmpty ? [] : mode.arguments(base)
        guard let arguments, mode.includesMainActor || !isMainActor else {
            // Another finding reports a function that is registered by mistake.
            guard unchecked.insert(baseIndex).inserted, base.mistakenFunction == nil else { return }
            let lacksActor = isMainActor && !mode.includesMainActor
            let input = MissingInput(lacksArguments: arguments == nil, lacksMainActor: lacksActor)
            return findings.append(
                .unchecked(node.registration, base: base.base, lacking: input, graph.namesakes))
        }
        // A factory that failed for another registration is not tried again.
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

    /// Runs a plain factory. Asynchronous dependencies of another container are awaited.
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

    /// The type and the name as a text that no other type in the graph has.
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
        // A fault of a common dependency shows many times.
        if findings.contains(where: { $0.covers(error) }) { return }
        var path = error.registrations + (error.failedRegistration.map { [$0] } ?? [])
        if path.isEmpty { path = [node.registration] }
        findings.append(
            ValidationFinding(
                kind: .error(error.reason), label: error.label, subject: name(error.label), registrations: path,
                problem: error.text(graph.namesakes), fix: nil, error: error))
    }
}
