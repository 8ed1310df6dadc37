import DependencyInjection

extension Program.Step {
    /// Whether it closes a container.
    var isEnd: Bool {
        switch self {
        case .close, .requestInChild, .drop: true
        default: false
        }
    }
}

// Children for an operation.
extension ProgramRun {
    /// Asks in a child, which is closed afterwards: by `withChild`, or in the words that this stands for.
    func requestInChild(_ requestStep: Program.RequestStep, _ index: Int, fails: Bool) async -> ProgramResult? {
        guard let container = containers[requestStep.container] else { return nil }
        let (file, line) = ("Program.swift" as StaticString, UInt(1_000 + index))
        let request = ProgramRequest(
            resolve: DIContainer.resolve, key: requestStep.key, name: writing.name(requestStep.key),
            argument: requestStep.argument,
            line: line)
        do {
            guard variation.handle(of: index) == .orThrow else {
                if closed.contains(requestStep.container) { throw ClosedBefore() }
                let child = container.makeChild()
                var failure: (any Error)?
                var result: ProgramResult?
                do {
                    result = try await DIContainer.withContainer(child) { try await answer(request, fails: fails) }
                } catch { failure = error }
                do { try await child.close(dueTo: failure) } catch { failure = failure ?? error }
                if let failure { throw failure }
                return result
            }
            return try await container.withChild(file: file, line: line) { _ in
                try await answer(request, fails: fails)
            }
        } catch let error as ResolutionError where error.key == "the container" {
            return ProgramResult(ClosedBefore())
        } catch { return ProgramResult(error) }
    }

    /// Stands for the error of a container that makes no children any more.
    private struct ClosedBefore: Error {}

    private func answer(_ request: ProgramRequest, fails: Bool) async throws -> ProgramResult {
        let type = reportedTypes[request.key.type]
        let product = program.isAsync ? try await type.sendAsync(request) : try type.send(request)
        if fails { throw Sabotage() }
        return ProgramResult(product)
    }
}
