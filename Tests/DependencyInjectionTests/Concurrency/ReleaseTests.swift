import DependencyInjection
import Foundation
import Testing

@Suite("Rule C1: instances are released when the queue is free", .timeLimit(.minutes(5)))
struct ReleaseTests {
    /// Records at its release whether another thread can change the container during that time.
    final class Asker: Sendable {
        let container: DIContainer
        let answers: Locked<[Bool]>

        init(_ container: DIContainer, _ answers: Locked<[Bool]>) {
            self.container = container
            self.answers = answers
        }

        deinit {
            let isChanged = DispatchSemaphore(value: 0)
            Thread.detachNewThread { [container] in
                container.register(Shared(1, name: "from a deinit"))
                isChanged.signal()
            }
            let answer = isChanged.wait(timeout: .now() + 30) == .success
            answers.withLock { $0.append(answer) }
        }
    }

    @Test("a change releases instances, factories and decorators")
    func releasingTakesNoQueue() {
        let answers = Locked<[Bool]>([])
        let container = DIContainer()
        func register() {
            let (inFactory, inNew, inDecorator) = (
                Asker(container, answers), Asker(container, answers), Asker(container, answers)
            )
            container.register {
                Shared { [container] _ in Asker(container, answers) }
                Shared { _ in withExtendedLifetime(inFactory) { Ticket(number: 1) } }
                New { _ in withExtendedLifetime(inNew) { 1 } }
                Decorate(String.self) { base, _ in withExtendedLifetime(inDecorator) { base } }
            }
            _ = container.resolve(Asker.self)
        }
        register()
        container.reset()
        #expect(answers.withLock { $0 } == [true, true, true, true])
    }

    @Test("a Weak instance that only a factory's request retained")
    func weakOfRequest() throws {
        let answers = Locked<[Bool]>([])
        let container = DIContainer()
        container.register {
            Weak { [unowned container] _ in Asker(container, answers) }
            Shared { resolve in
                _ = resolve(Asker.self)
                return Ticket(number: 1)
            }
        }
        #expect(try container.resolve.orThrow(Ticket.self).number == 1)
        #expect(answers.withLock { $0 } == [true])
    }

    @Test("the instances of a container that is released in a factory of another one")
    func containerInFactory() throws {
        let answers = Locked<[Bool]>([])
        let container = DIContainer()
        container.register(
            Shared { [unowned container] _ in
                _ = DIContainer { Shared { _ in Asker(container, answers) } }.resolve(Asker.self)
                return Ticket(number: 1)
            })
        #expect(try container.resolve.orThrow(Ticket.self).number == 1)
        #expect(answers.withLock { $0 } == [true])
    }

    /// Resolves from other containers in a `Shared` factory, and returns whether each release in it left the queue
    /// free.
    private func releasesInFactory(
        of kinds: Int, _ use: @escaping @Sendable (DIContainer, Locked<[Bool]>) -> Void
    ) -> Bool {
        let answers = Locked<[Bool]>([])
        let container = DIContainer()
        container.register(
            Shared { [unowned container] _ in
                use(container, answers)
                return Ticket(number: 1)
            })
        #expect(container.resolve(Ticket.self).number == 1)
        return answers.withLock { $0 } == Array(repeating: true, count: kinds)
    }

    @Test("a New that another thread unregisters while its factory runs")
    func unregisteredNew() {
        let isFree = releasesInFactory(of: 1) { container, answers in
            let other = DIContainer()
            func register() {
                let captured = Asker(container, answers)
                other.register(
                    New { [unowned other] _ in
                        withExtendedLifetime(captured) {}
                        _ = onThreads(1) { _ in other.unregister(Diesel.self) }
                        return Diesel()
                    })
            }
            register()
            _ = other.resolve(Diesel.self)
        }
        #expect(isFree)
    }

    @Test("a parent's Scoped that another thread unregisters while its factory runs")
    func unregisteredScoped() {
        let isFree = releasesInFactory(of: 1) { container, answers in
            let parent = DIContainer()
            func register() {
                let captured = Asker(container, answers)
                parent.register(
                    Scoped { [unowned parent] _ in
                        withExtendedLifetime(captured) {}
                        _ = onThreads(1) { _ in parent.unregister(Diesel.self) }
                        return Diesel()
                    })
            }
            register()
            _ = parent.makeChild().resolve(Diesel.self)
        }
        #expect(isFree)
    }

    @Test("a value that cannot be held weakly")
    func valueRefusedByWeak() {
        struct Holder: Sendable { let asker: Asker }
        let isFree = releasesInFactory(of: 1) { container, answers in
            let other = DIContainer { Weak { _ in Holder(asker: Asker(container, answers)) } }
            #expect(throws: ResolutionError.self) { try other.resolve.orThrow(Holder.self) }
        }
        #expect(isFree)
    }

    @Test("an instance that a decorator replaces")
    func droppedByDecorator() {
        let isFree = releasesInFactory(of: 1) { container, answers in
            final class Plain: Starter {
                let asker: Asker
                init(_ asker: Asker) { self.asker = asker }
                func start() -> String { "plain" }
            }
            let other = DIContainer {
                Shared { _ in Plain(Asker(container, answers)) as any Starter }
                Decorate((any Starter).self) { _, _ in Diesel() }
            }
            _ = other.resolve((any Starter).self)
        }
        #expect(isFree)
    }

    @Test("a registration of a container that is released in a factory of another")
    func factoryOfReleasedContainer() {
        let isFree = releasesInFactory(of: 1) { container, answers in
            func other() -> DIContainer {
                let captured = Asker(container, answers)
                return DIContainer { Shared { _ in withExtendedLifetime(captured) { Diesel() } } }
            }
            _ = other().resolve
        }
        #expect(isFree)
    }
}
