import DependencyInjection
import Foundation
import Testing

@Suite("Rule 8: during a concurrent removal, an Optional is nil or the instance", .mayHang, .serialized, .ownThread)
struct ConcurrentRemovalTests {
    /// Repeats a request while another thread registers and removes a type. Returns the kinds of the errors.
    private func errors(
        removing remove: @escaping @Sendable () -> Void, _ request: @escaping @Sendable () throws -> Void
    ) -> Set<String> {
        let isDone = Counter()
        return onThreads(2) { index -> Set<String> in
            var errors: Set<String> = []
            if index == 0 {
                for _ in 0..<5_000 { remove() }
                isDone.increment()
            }
            while isDone.count == 0 {
                do { try request() } catch { errors.insert(kind(of: error)) }
                // Lets the removing thread run on a machine with one core.
                sched_yield()
            }
            return errors
        }.reduce([]) { $0.union($1) }
    }

    private func kind(of error: any Error) -> String { (error as? ResolutionError)?.kind ?? "\(error)" }

    @Test("An alias and its target are removed by a reset")
    func alias() {
        let container = DIContainer()
        let remove = { @Sendable in
            container.register(Shared(Diesel(), as: (any Engine).self))
            container.reset()
        }
        #expect(errors(removing: remove) { _ = try container.resolve.orThrow((any Engine)?.self) } == [])
        #expect(errors(removing: remove) { _ = try container.resolve.orThrow.all((any Engine).self) } == [])
    }

    @Test("A decorated type is removed from a parent")
    func decorated() {
        let parent = DIContainer()
        let child = parent.makeChild()
        let remove = { @Sendable in
            parent.register(Shared(Diesel()), Decorate(Diesel.self) { base, _ in base })
            parent.unregister(Diesel.self)
        }
        #expect(errors(removing: remove) { _ = try child.resolve.orThrow(Diesel?.self) } == [])
        #expect(errors(removing: remove) { _ = try child.resolve.orThrow.all(Diesel.self) } == [])
    }
}
