import DependencyInjection
import Foundation
import Testing

// The requests of a run.
extension ProgramRun {
    func perform(_ requestStep: Program.RequestStep, _ index: Int) async -> ProgramResult? {
        guard let container = containers[requestStep.container] else { return nil }
        let known = reference?.records[index].result
        let words = words(for: requestStep, index, known)
        let target = words.target ?? container
        let isOfDefault = variation.root == .defaultContainer && requestStep.container == 0
        let isCurrent = words.place == .current
        let surroundings = isOfDefault ? nil : isCurrent ? container : surroundings(of: requestStep.container)
        let request = ProgramRequest(
            resolve: isCurrent || isOfDefault ? DIContainer.resolve : target.resolve, key: requestStep.key,
            name: writing.name(requestStep.key), argument: requestStep.argument, line: UInt(1_000 + index),
            handle: words.handle, container: target, surroundings: surroundings, isOfDefault: isOfDefault)
        let (world, holds, type) = (world, program.holdsResults, reportedTypes[requestStep.key.type])

        if program.isAsync, words.handle == .async {
            if let surroundings = request.surroundings {
                return await DIContainer.withContainer(surroundings) { await Self.sendAsync(request, world) }
            }
            return await Self.sendAsync(request, world)
        }
        if program.isAsync, variation.prepares { try? await container.prepare() }
        let work: @Sendable () -> ProgramResult = {
            ProgramResult {
                let product = try type.send(request)
                if holds { world.hold(product) }
                return product
            }
        }
        if requestStep.isOnMain {
            return await Self.onMain(variation.thread) { OnMain.run(work) }
        }
        switch variation.thread {
        case .four where known?.lifetimes?.isSubset(of: [.shared, .scoped]) == true:
            let results = await awaitThreads(4) { _ in work() }
            // The threads differ if any of them does not return the known result.
            return results.first { $0.text != results[0].text } ?? results[0]
        case .task, .four: return work()
        case .queue: return await Self.on(DispatchQueue(label: "request"), work)
        case .thread: return await awaitThreads(1) { _ in work() }[0]
        }
    }

    /// The form of a request: the form of the variation, if that cannot make a difference here.
    private func words(
        for requestStep: Program.RequestStep, _ index: Int, _ known: ProgramResult?
    ) -> (handle: MetamorphicVariation.Handle, place: MetamorphicVariation.Place, target: DIContainer?) {
        guard let known else { return (program.isAsync ? .async : .orThrow, .container, nil) }
        var handle = variation.handle(of: index)
        let isClosed = known.isClosed || closed.contains(requestStep.container)
        if handle.traps && !known.isProduct { handle = .orThrow }
        switch handle {
        // An error names the alias. Another registration may satisfy a request for a protocol.
        case .alias where !known.isProduct || requestStep.key.type >= firstProtocolType: handle = .orThrow
        case .all where requestStep.argument == nil && writing.name(requestStep.key) == nil: handle = .orThrow
        // Rule 20: the request includes all parents, one of which may be closed.
        case .all where closesParent: handle = .orThrow
        // Rule 8: nil instead of an error.
        case .optional where known.isMissing, .optionalProvider where known.isMissing: handle = .orThrow
        // A closed container gives no provider, although it may resolve instances of its open parent.
        case .provider where isClosed, .optionalProvider where isClosed: handle = .orThrow
        case .async: handle = .orThrow
        default: break
        }
        if program.isAsync {
            // A Scoped type is only prepared where there is a parent.
            let hasScoped = known.lifetimes?.contains(.scoped) ?? true
            let isPrepared =
                variation.prepares && known.isProduct && isNeverChanged
                && !(hasScoped && program.containers[requestStep.container].parent == nil)
            handle = !isPrepared ? .async : handle.traps ? .orThrow : handle
        }
        var place = variation.root == .defaultContainer ? .container : variation.place(of: index)
        // Rules 10 and 19: these are a container's own.
        let mayMove = known.lifetimes?.isDisjoint(with: [.scoped, .graph]) ?? false
        if !mayMove, place == .child || place == .grandchild { place = .container }
        let target: DIContainer? =
            switch place {
            case .child: children[requestStep.container]?.0
            case .grandchild: children[requestStep.container]?.1
            default: nil
            }
        return (handle, place, target)
    }

    /// Whether the program only sends requests, and nothing fails.
    private var isNeverChanged: Bool {
        program.recipes.allSatisfy { $0.failures == 0 }
            && program.steps.allSatisfy { if case .request = $0 { true } else { false } }
    }

    /// Whether the program closes a container that has children.
    private var closesParent: Bool {
        program.steps.contains { step in
            switch step {
            case .close(let container, _), .drop(let container):
                program.containers.contains { $0.parent == container }
            default: false
            }
        }
    }

    private func surroundings(of container: Int) -> DIContainer? {
        let chosen =
            switch variation.surroundings {
            case .requested: container
            case .parent: program.containers[container].parent ?? container
            case .other: (container + 1) % containers.count
            case .none: -1
            }
        return chosen < 0 ? nil : containers[chosen] ?? containers[container]
    }

    private static func sendAsync(_ request: ProgramRequest, _ world: World) async -> ProgramResult {
        do {
            let product = try await reportedTypes[request.key.type].sendAsync(request)
            world.hold(product)
            return ProgramResult(product)
        } catch { return ProgramResult(error) }
    }

    static func onMain<Result: Sendable>(
        _ thread: MetamorphicVariation.Thread, _ work: @escaping @Sendable () -> Result
    ) async -> Result {
        if thread == .task { return await MainActor.run { work() } }
        return await on(.main, work)
    }

    private static func on<Result: Sendable>(
        _ queue: DispatchQueue, _ work: @escaping @Sendable () -> Result
    ) async -> Result {
        await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: work()) } }
    }
}
