import DependencyInjection

/// Builds the nodes of a graph one after the other, and collects the failures.
struct BuildValidator {
    /// The limit for permanently blocked threads. Each failed plain request blocks one, and the system has a few
    /// hundred threads for all queues.
    private static let abandonedLimit = 100

    let container: DIContainer
    let mode: ValidationMode
    let graph: DependencyGraph
    /// The findings of the static analysis, followed by the findings of the builds.
    var findings: [ValidationFinding]
    var copy: DIContainer
    /// The number of copies with a factory that never returned.
    var abandonedCount = 0
    /// The registrations whose factories have failed or taken too long.
    var failed: Set<ObjectIdentifier> = []
    /// The nodes that weren't built because an input is missing.
    var unchecked: Set<Int> = []

    mutating func run() async {
        await buildAll()
        // Abandoned copies aren't closed, because a thread is blocked inside each of them.
        for failure in await copy.failuresOfClosingTree() {
            let fix = String.alternatives(
                "remove the cause of that error", "register a stand-in that can be closed")
            report(
                .failedOnClose, failure.registration, fix: fix,
                "The `onClose` of \(name(failure.registration.id)) failed: \(String(describing: failure.error))")
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
                    registrations, \(name(node.id)) among them, were not built.
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
            // A function that was registered by mistake is reported by another finding.
            guard unchecked.insert(baseIndex).inserted, base.mistakenFunction == nil else { return }
            let lacksActor = isMainActor && !mode.includesMainActor
            let input = MissingInput(lacksArguments: arguments == nil, lacksMainActor: lacksActor)
            return findings.append(
                .unchecked(node.registration, base: base.base, lacking: input, graph.typeNames))
        }
        // A factory that failed for another registration isn't run again.
        if base.isAsync, failed.contains(ObjectIdentifier(base.base)) { return }
        let registration = node.registration
        let copy = copy
        let outcome =
            isMainActor || base.isAsync
            ? await FactoryProbe(of: node.registration, in: copy, limit: mode.limit).awaitBuild(
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
                "Building \(name(node.id)) takes longer than \(mode.limit).")
        }
    }

    /// Runs a plain factory. If it needs an asynchronous build first, awaits that build and runs the factory again.
    private func buildPlainly(
        _ node: RegistrationInfo, _ arguments: [any Sendable], after last: Registration? = nil
    ) async -> FactoryProbe.Outcome {
        let (copy, registration) = (copy, node.registration)
        let outcome = await FactoryProbe(of: node.registration, in: copy, limit: mode.limit).buildPlainly {
            copy.buildPlainly(registration, arguments)
        }
        guard !outcome.isAbandoned, let missing = outcome.missing else { return outcome }
        let needed = missing.registration
        if failed.contains(ObjectIdentifier(needed)) { return FactoryProbe.Outcome() }
        if needed === last { return outcome }
        let preparation = await FactoryProbe(of: node.registration, in: copy, limit: mode.limit).awaitBuild {
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
                kind: kind, id: registration.id, subject: name(registration.id),
                registrations: [registration], problem: problem, fix: fix))
    }

    /// Returns the type and the name as a text that is unique in the graph.
    private func name(_ id: DependencyID) -> String { graph.typeNames.text(id) }

    private mutating func report(_ error: ResolutionError, of node: RegistrationInfo, _ base: Int) {
        if graph.nodes.contains(where: { $0.registration === error.declaration && !$0.isInherited }) {
            guard unchecked.insert(base).inserted else { return }
            let fix = """
                validate a child with a stand-in: `container.makeChild { \(error.dependency.registrationExample()) }.validate(.building)`
                """
            return report(
                .unchecked, node.registration, fix: fix,
                "\(name(node.id)) was not built, because it needs \(name(error.dependency)), which children register.")
        }
        if let registration = error.failedRegistration { failed.insert(ObjectIdentifier(registration)) }
        // A failed dependency shows up in the builds of all its dependents, but is reported once.
        if findings.contains(where: { $0.covers(error) }) { return }
        var path = error.registrations + (error.failedRegistration.map { [$0] } ?? [])
        if path.isEmpty { path = [node.registration] }
        findings.append(
            ValidationFinding(
                kind: .error(error.reason), id: error.dependency, subject: name(error.dependency), registrations: path,
                problem: error.text(graph.typeNames), fix: nil, error: error))
    }
}
