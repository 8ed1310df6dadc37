import DependencyInjection
import Foundation
import Testing

/// A container may go while one of its factories runs, since resolvers and providers outlive it.
@Suite("Rule C8: releasing a container", .timeLimit(.minutes(5)))
struct ReleasedContainerTests {
    /// Holds a container until `drop()` is called.
    private final class Holder: Sendable {
        private let container: Locked<DIContainer?>
        init(_ container: DIContainer) { self.container = Locked(container) }

        func drop() {
            // The container is released when the lock is free again.
            let dropped = container.withLock { container in
                defer { container = nil }
                return container
            }
            withExtendedLifetime(dropped) {}
        }
    }

    private enum Kind: CaseIterable {
        case root, child, fork

        func make(@RegistrationBuilder _ registrations: () -> [Registration]) -> DIContainer {
            switch self {
            case .root: DIContainer(registrations)
            case .child: DIContainer { Shared(1) }.makeChild(registrations)
            case .fork: DIContainer { Shared(1) }.fork(registrations)
            }
        }
    }

    @Test("waits for no factory, whose instance reaches its caller and is not cached", arguments: 0..<3)
    func waitsForNoFactory(_ index: Int) async throws {
        let began = Latch()
        let mayEnd = Latch()
        let released = Counter()
        func make() -> (Holder, Resolver) {
            let container = Kind.allCases[index].make {
                Shared(Tracked(released), name: "built")
                Shared { _ in
                    began.open()
                    mayEnd.wait()
                    return Tracked(released)
                }
            }
            _ = container.resolve(Tracked.self, name: "built")
            return (Holder(container), container.resolve)
        }
        let (holder, resolve) = make()
        let building = BackgroundThread {
            _ = resolve(Tracked.self)
            return true
        }
        began.wait()
        let isDropped = BackgroundThread {
            holder.drop()
            return true
        }.result()
        mayEnd.open()
        #expect(isDropped == true, "the drop waits for the factory")
        #expect(building.result() == true)
        #expect(await eventually { released.count == 2 })
    }

    @Test("does not deadlock with a factory that waits for it", arguments: 0..<3)
    func factoryWaitsForDrop(_ index: Int) {
        func make() -> Resolver {
            let holder = Locked<Holder?>(nil)
            let container = Kind.allCases[index].make {
                Shared { _ in
                    let dropping = BackgroundThread {
                        holder.withLock { $0 }?.drop()
                        return true
                    }
                    return dropping.result() == true
                }
            }
            holder.withLock { $0 = Holder(container) }
            return container.resolve
        }
        let resolve = make()
        #expect(BackgroundThread { resolve(Bool.self) }.result() == true, "the two wait for each other")
    }

    @Test("while the parent builds, a child is released without waiting")
    func childOfBusyParent() {
        let parent = DIContainer {
            Shared(Diesel())
            Scoped(Ticket(number: 1))
        }
        func make() -> Holder {
            let child = parent.makeChild { Shared(1) }
            _ = (child.resolve(Int.self), child.resolve(Ticket.self))
            return Holder(child)
        }
        let holder = make()
        let isDropped = whileBuilding(in: parent) {
            holder.drop()
            return true
        }
        #expect(isDropped == true)
    }

    /// Holds its container's core, so that only the end of the container ends it.
    private final class Cyclic: Sendable {
        private let resolve: Resolver
        private let released: Counter
        init(_ resolve: Resolver, _ released: Counter) { (self.resolve, self.released) = (resolve, released) }
        deinit { released.increment() }
    }

    @Test("releases a child's instances while the child looks up its parent's change")
    func whileSweeping() {
        for round in 0..<100 {
            let released = Counter()
            func run() {
                let names = (0..<100).map { RegistrationName("\($0)") }
                let parent = DIContainer { for name in names { Scoped(Diesel(), name: name) } }
                func make() -> (Holder, Resolver) {
                    let child = parent.makeChild { Shared { resolve in Cyclic(resolve, released) } }
                    for name in names { _ = child.resolve(Diesel.self, name: name) }
                    _ = child.resolve(Cyclic.self)
                    return (Holder(child), child.resolve)
                }
                let (holder, resolve) = make()
                parent.register(New("changed"))
                _ = onThreads(2) { index in
                    if index == 0 {
                        _ = resolve(Int?.self)
                    } else {
                        for _ in 0..<(round % 50) * 20 { sched_yield() }
                        holder.drop()
                    }
                }
            }
            run()
            #expect(eventually { released.count == 1 }, "round \(round)")
        }
    }
}
