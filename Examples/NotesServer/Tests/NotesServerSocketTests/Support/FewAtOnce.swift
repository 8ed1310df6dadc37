import Testing

/// Limits how many cases run concurrently. Each starts processes, and all of them would take the processors from the
/// other tests of the package.
struct FewAtOnce: SuiteTrait, TestTrait, TestScoping {
    private static let gate = Gate(width: 8)

    let isRecursive = true

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        await Self.gate.enter()
        do { try await function() } catch {
            await Self.gate.leave()
            throw error
        }
        await Self.gate.leave()
    }
}

extension Trait where Self == FewAtOnce {
    static var fewAtOnce: Self { FewAtOnce() }
}

/// Admits a limited number of tasks. The others wait in their order.
private actor Gate {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(width: Int) { free = width }

    func enter() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func leave() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
