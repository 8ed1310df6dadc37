import Testing

@testable import DependencyInjection

@Suite("Rule C8: releasing a container while a thread holds its queue")
struct ReleasedCoreTests {
    /// An instance that retains its container's core. Only the release of the container releases the instance.
    private final class Cyclic: Sendable {
        private let resolve: Resolver
        init(_ resolve: Resolver) { self.resolve = resolve }
    }

    @Test("The thread releases the instances when it leaves the queue", arguments: [false, true])
    func clearedAtTheEnd(_ isTried: Bool) throws {
        let container = DIContainer { Shared { Cyclic($0) } }
        weak let instance = try container.resolve.orThrow(Cyclic.self)
        let core = container.core
        var wasThere = false
        // The `deinit` of the container makes the same call.
        let work = {
            core.release()
            wasThere = instance != nil
        }
        if isTried { #expect(core.tryExclusively(work)) } else { core.exclusively(work) }
        #expect(wasThere && instance == nil)
    }
}
