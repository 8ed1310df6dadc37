import Testing

@testable import DependencyInjection

@Suite("Rule C8: dropping a container while a thread is on its queue")
struct AbandonedCoreTests {
    /// Holds its container's core, so that only the end of the container ends it.
    private final class Cyclic: Sendable {
        private let resolve: Resolver
        init(_ resolve: Resolver) { self.resolve = resolve }
    }

    @Test("The thread releases the instances when it leaves, however it came in", arguments: [false, true])
    func clearedAtTheEnd(_ isTried: Bool) {
        let container = DIContainer { Shared { Cyclic($0) } }
        weak let instance = container.resolve(Cyclic.self)
        let core = container.core
        var wasThere = false
        // The core is told what the end of its container would tell it.
        let work = {
            core.abandon()
            wasThere = instance != nil
        }
        if isTried { #expect(core.tryExclusively(work)) } else { core.exclusively(work) }
        #expect(wasThere && instance == nil)
    }
}
