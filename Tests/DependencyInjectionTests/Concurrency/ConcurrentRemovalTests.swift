import DependencyInjection
import Foundation
import Testing

@Suite(
    "Rule 8: a concurrently removed registration is missing, without another error", .serialized,
    .timeLimit(.minutes(5)))
struct ConcurrentRemovalTests {
    /// Repeats requests while another thread removes and registers, and returns the kinds of errors.
    private func errors(
        removing remove: @escaping @Sendable () -> Void, _ ask: @escaping @Sendable () throws -> Void
    ) -> Set<String> {
        let isDone = Counter()
        return onThreads(2) { index -> Set<String> in
            var errors: Set<String> = []
            if index == 0 {
                for _ in 0..<5_000 { remove() }
                isDone.increment()
            }
            while isDone.count == 0 {
                do { try ask() } catch { errors.insert(kind(of: error)) }
                // So that the removals continue on a machine with fewer cores than threads.
                sched_yield()
            }
            return errors
        }.reduce([]) { $0.union($1) }
    }

    private func kind(of error: any Error) -> String { (error as? ResolutionError)?.kind ?? "\(error)" }

    @Test("an alias, with its target, by a reset")
    func alias() {
        let container = DIContainer()
        let remove = { @Sendable in
            container.register(Shared(Diesel(), as: (any Engine).self))
            container.reset()
        }
        #expect(errors(removing: remove) { _ = try container.resolve.orThrow((any Engine)?.self) } == [])
        #expect(errors(removing: remove) { _ = try container.resolve.orThrow.all((any Engine).self) } == [])
    }

    @Test("A decorated type of a parent")
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
