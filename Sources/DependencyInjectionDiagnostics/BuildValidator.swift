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
    var copy: ContainerCopy
    /// The number of copies with a factory that never returned.
    var abandonedCount = 0
    /// The registrations whose factories have failed or taken too long.
    var failed: Set<ObjectIdentifier> = []
    /// The nodes that weren't built because an input is missing.
    var unchecked: Set<Int> = []

    mutating func run() async {
        await buildAll()
        // Abandoned copies aren't closed, because a thread is blocked inside each of them.
        for failure in await copy.close() {
            report(
                .failedOnClose, failure.registration,
                fixes: ["remove the cause of that error", "register a stand-in that can be closed"],
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
                return report(
                    .unchecked, node.registration,
                    fixes: ["fix the other findings, and validate again", "validate a child with stand-ins"],
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
                .unchecked(node.registration, lacking: input, graph.typeNames))
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
            self.copy = ContainerCopy(of: container, takingOverFrom: copy)
        }
        if let error = outcome.error {
            report(error, of: node, baseIndex)
        } else if outcome.isAbandoned {
            failed.insert(ObjectIdentifier(base.base))
            report(
                .blockedFactory, node.registration,
                fixes: [
                    "remove the wait from the factory, or register a stand-in that does not wait",
                    "allow more time with `.building(within:)`",
                ],
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
        let needed = missing.entry.registration
        if failed.contains(ObjectIdentifier(needed)) { return FactoryProbe.Outcome() }
        if needed === last { return outcome }
        let preparation = await FactoryProbe(of: node.registration, in: copy, limit: mode.limit).awaitBuild {
            await missing.failure()
        }
        if preparation.error != nil || preparation.isAbandoned { return preparation }
        return await buildPlainly(node, arguments, after: needed)
    }

    private mutating func report(
        _ kind: ValidationFinding.Kind, _ registration: Registration, fixes: [String], _ problem: String
    ) {
        findings.append(
            ValidationFinding(
                kind: kind, id: registration.id, subject: name(registration.id),
                registrations: [registration], problem: problem, fixes: fixes))
    }

    /// Returns the type and the name as a text that is unique in the graph.
    private func name(_ id: DependencyID) -> String { graph.typeNames.text(id) }

    private mutating func report(_ error: ResolutionError, of node: RegistrationInfo, _ base: Int) {
        if graph.nodes.contains(where: { $0.registration === error.declaration && !$0.isInherited }) {
            guard unchecked.insert(base).inserted else { return }
            return report(
                .unchecked, node.registration,
                fixes: ["validate a child that registers \(name(error.dependency))"],
                "\(name(node.id)) was not built, because it needs \(name(error.dependency)), which children register.")
        }
        if let registration = error.failedRegistration { failed.insert(ObjectIdentifier(registration)) }
        // A failed dependency shows up in the builds of all its dependents, but is reported once.
        if findings.contains(where: { $0.covers(error) }) { return }
        var path = error.report.path + (error.failedRegistration.map { [$0] } ?? [])
        if path.isEmpty { path = [node.registration] }
        findings.append(
            ValidationFinding(
                kind: .error(error.reason), id: error.dependency, subject: name(error.dependency), registrations: path,
                problem: error.text(graph.typeNames), error: error))
    }
}

extension ResolutionError {
    /// The registration whose factory failed or built an instance that can't be cached. The path doesn't contain it.
    var failedRegistration: Registration? {
        [.factoryFailed, .weakValueType].contains(reason) ? report.registration : nil
    }
}
