import DependencyInjection
import Foundation
import Testing

/// A container may be released while one of its factories runs, because resolvers and providers outlive it.
@Suite("Rule C8: releasing a container", .mayHang, .ownThread)
struct ReleasedContainerTests {
    /// Retains a container until `release()` is called.
    private final class Holder: Sendable {
        private let container: Locked<DIContainer?>
        init(_ container: DIContainer) { self.container = Locked(container) }

        func release() {
            // The container is released after the lock.
            let released = container.withLock { container in
                defer { container = nil }
                return container
            }
            withExtendedLifetime(released) {}
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

    @Test("doesn't wait for a factory, whose instance is returned but not cached", arguments: 0..<3)
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
        let isReleased = BackgroundThread {
            holder.release()
            return true
        }.result()
        mayEnd.open()
        #expect(isReleased == true, "the release waits for the factory")
        #expect(building.result() == true)
        #expect(await eventually { released.count == 2 })
    }

    @Test("doesn't deadlock with a factory that waits for the release", arguments: 0..<3)
    func factoryWaitsForRelease(_ index: Int) {
        func make() -> Resolver {
            let holder = Locked<Holder?>(nil)
            let container = Kind.allCases[index].make {
                Shared { _ in
                    let releasing = BackgroundThread {
                        holder.withLock { $0 }?.release()
                        return true
                    }
                    return releasing.result() == true
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
        let isReleased = whileBuilding(in: parent) {
            holder.release()
            return true
        }
        #expect(isReleased == true)
    }

    /// An instance that retains its container's core. Only the release of the container releases the instance.
    private final class Cyclic: Sendable {
        private let resolve: Resolver
        private let released: Counter
        init(_ resolve: Resolver, _ released: Counter) { (self.resolve, self.released) = (resolve, released) }
        deinit { released.increment() }
    }

    @Test("releases a child's instances while the child looks up its parent's change")
    func duringLookup() {
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
                        holder.release()
                    }
                }
            }
            run()
            #expect(eventually { released.count == 1 }, "round \(round)")
        }
    }
}
