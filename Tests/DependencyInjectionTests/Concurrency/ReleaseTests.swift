import DependencyInjection
import Foundation
import Testing

@Suite("Rule C1: instances are released when the queue is free", .mayHang, .ownThread)
struct ReleaseTests {
    /// An object that records whether another thread can change the container while the object is released.
    final class QueueProbe: Sendable {
        let container: DIContainer
        let outcomes: Locked<[Bool]>

        init(_ container: DIContainer, _ outcomes: Locked<[Bool]>) {
            self.container = container
            self.outcomes = outcomes
        }

        deinit {
            let isChanged = Latch()
            Thread.detachNewThread { [container] in
                container.register(Shared(1, name: "from a deinit"))
                isChanged.open()
            }
            let isFree = isChanged.opens()
            outcomes.withLock { $0.append(isFree) }
        }
    }

    @Test("a change releases instances, factories and decorators")
    func releasingTakesNoQueue() {
        let outcomes = Locked<[Bool]>([])
        let container = DIContainer()
        func register() {
            let (inFactory, inNew, inDecorator) = (
                QueueProbe(container, outcomes), QueueProbe(container, outcomes), QueueProbe(container, outcomes)
            )
            container.register {
                Shared { [container] _ in QueueProbe(container, outcomes) }
                Shared { _ in withExtendedLifetime(inFactory) { Ticket(number: 1) } }
                New { _ in withExtendedLifetime(inNew) { 1 } }
                Decorate(String.self) { base, _ in withExtendedLifetime(inDecorator) { base } }
            }
            _ = container.resolve(QueueProbe.self)
        }
        register()
        container.reset()
        #expect(outcomes.withLock { $0 } == [true, true, true, true])
    }

    @Test("a Weak instance that only a factory's request retained")
    func weakOfRequest() throws {
        let outcomes = Locked<[Bool]>([])
        let container = DIContainer()
        container.register {
            Weak { [unowned container] _ in QueueProbe(container, outcomes) }
            Shared { resolve in
                _ = resolve(QueueProbe.self)
                return Ticket(number: 1)
            }
        }
        #expect(try container.resolve.orThrow(Ticket.self).number == 1)
        #expect(outcomes.withLock { $0 } == [true])
    }

    @Test("the instances of a container that is released in a factory of another one")
    func containerInFactory() throws {
        let outcomes = Locked<[Bool]>([])
        let container = DIContainer()
        container.register(
            Shared { [unowned container] _ in
                _ = DIContainer { Shared { _ in QueueProbe(container, outcomes) } }.resolve(QueueProbe.self)
                return Ticket(number: 1)
            })
        #expect(try container.resolve.orThrow(Ticket.self).number == 1)
        #expect(outcomes.withLock { $0 } == [true])
    }
}
