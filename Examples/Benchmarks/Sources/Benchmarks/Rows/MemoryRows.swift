import DependencyInjection
import Synchronization

/// Rows that check that memory doesn't grow, and that the container releases replaced instances immediately.
enum MemoryRows {
    static func make() -> [Row] {
        [
            growth("1,000,000 resolves: resident memory", 1_000_000, resolve),
            growth("100,000 overrides: resident memory", 100_000) { _ = override(times: $0) },
            growth("100,000 resetInstances() and resolves: resident memory", 100_000, resetInstances),
            growth("100,000 reset() and resolves: resident memory", 100_000, reset),
            growth("100,000 children: resident memory", 100_000, children),
            growth("100,000 decorated Weak instances: resident memory", 100_000, decoratedWeak),
            Row("100,000 overrides: instances released late", .atMost(0, "alive")) { effort in
                Measurement(Double(override(times: min(100_000, effort.repetitionLimit))), .instances)
            },
        ]
    }

    /// Returns a row for the growth of the process while an operation is repeated, after a tenth as many repetitions.
    private static func growth(_ name: String, _ count: Int, _ work: @escaping (_ times: Int) -> Void) -> Row {
        // The allowance covers pages that the allocator and the run time touch occasionally. It is less than 3 bytes
        // per operation, whereas the smallest object takes 16.
        Row(name, .atMost(256, "KiB more")) { effort in
            let count = min(count, effort.repetitionLimit)
            work(count / 10)
            guard let before = Memory.residentKibibytes else { return nil }
            work(count)
            guard let after = Memory.residentKibibytes else { return nil }
            return Measurement(max(0, after - before), .kibibytes)
        }
    }

    private static func resolve(times: Int) {
        let sink = Sink.make(for: (any Service).self)
        for _ in 0..<times { sink(DIContainer.resolve((any Service).self)) }
    }

    /// Replaces a resolved instance repeatedly. Returns the number of instances still alive after their replacement.
    private static func override(times: Int) -> Int {
        let container = Subjects.makeContainer()
        let sink = Sink.make(for: Counted.self)
        var late = 0
        for _ in 0..<times {
            container.register(Shared(Counted()))
            late += Counted.living.load(ordering: .relaxed)
            sink(container.resolve(Counted.self))
        }
        return late
    }

    private static func resetInstances(times: Int) {
        let container = Subjects.makeContainer()
        let sink = Sink.make(for: (any Service).self)
        for _ in 0..<times {
            container.resetInstances()
            sink(container.resolve((any Service).self))
        }
    }

    private static func reset(times: Int) {
        let container = DIContainer()
        let sink = Sink.make(for: (any Service).self)
        for _ in 0..<times {
            container.reset()
            container.register(Shared(ServiceImpl() as any Service))
            sink(container.resolve((any Service).self))
        }
    }

    /// Builds a parent's decorated `Weak` instance for a child, and releases it each time.
    private static func decoratedWeak(times: Int) {
        let parent = DIContainer {
            Weak(ClassServiceImpl() as any ClassService)
            Decorate((any ClassService).self) { _, _ in ClassServiceImpl() }
        }
        let child = parent.makeChild()
        let sink = Sink.make(for: (any ClassService).self)
        for _ in 0..<times { sink(child.resolve((any ClassService).self)) }
    }

    /// Creates, uses and releases children as a server does for requests: with a registration of their own and a
    /// decorator, a `Scoped` of the parent, and an alias of it.
    private static func children(times: Int) {
        let parent = DIContainer {
            Scoped({ _ in ServiceImpl() }, as: (any Service).self)
            Shared(Counted())
        }
        let sink = Sink.make(for: (any Service).self)
        for _ in 0..<times {
            let child = parent.makeChild {
                Shared(1)
                Decorate(Int.self) { base, _ in base }
            }
            sink(child.resolve((any Service).self))
            _ = (child.resolve(Counted.self), child.resolve(Int.self))
        }
    }

    /// A class that counts its instances.
    private final class Counted: Sendable {
        static let living = Atomic(0)

        init() {
            Self.living.add(1, ordering: .relaxed)
        }

        deinit {
            Self.living.subtract(1, ordering: .relaxed)
        }
    }
}
