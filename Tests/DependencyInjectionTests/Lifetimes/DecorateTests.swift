import DependencyInjection
import Testing

@Suite("Decorators", .serialized, .mayHang, .ownThread)
struct DecorateTests {
    final class Tuned: Engine, Starter {
        let base: any Engine
        let label: String
        init(_ base: any Engine, _ label: String = "tuned") {
            self.base = base
            self.label = label
        }
        var kind: String { "\(label) \(base.kind)" }
        func start() -> String { "start \(kind)" }
    }

    private func tune(_ label: String, name: RegistrationName? = nil) -> Decorate {
        Decorate((any Engine).self, name: name) { base, _ in Tuned(base, label) }
    }

    @Test("Rule 17: run in registration order, before or after the decorated registration")
    func stack() throws {
        let container = DIContainer {
            tune("inner")
            Shared(Diesel() as any Engine)
            Module { tune("outer") }
        }
        #expect(try container.resolve.orThrow((any Engine).self).kind == "outer inner diesel")
        container.register(Shared(Diesel(kind: "new") as any Engine))
        #expect(try container.resolve.orThrow((any Engine).self).kind == "outer inner new")
        container.register { tune("last") }
        #expect(try container.resolve.orThrow((any Engine).self).kind == "last outer inner new")
        container.reset()
        container.register(Shared(Diesel() as any Engine))
        #expect(try container.resolve.orThrow((any Engine).self).kind == "diesel")
    }

    @Test("Rule 17: preserve the lifetime of the decorated registration")
    func lifetimes() throws {
        let wrapped = Counter()
        let container = DIContainer {
            Shared(Diesel() as any Engine)
            New(Diesel() as any Engine, name: "new")
            Weak(Diesel() as any Engine, name: "weak")
            for name in [nil, "new", "weak"] as [RegistrationName?] {
                Decorate((any Engine).self, name: name) { base, _ in
                    wrapped.increment()
                    return Tuned(base)
                }
            }
        }
        #expect(try isSame(container.resolve.orThrow((any Engine).self), container.resolve.orThrow((any Engine).self)))
        #expect(wrapped.count == 1)
        #expect(
            try !isSame(
                container.resolve.orThrow((any Engine).self, name: "new"),
                container.resolve.orThrow((any Engine).self, name: "new")))
        #expect(wrapped.count == 3)
        var held: (any Engine)? = try container.resolve.orThrow(name: "weak")
        #expect(try isSame(held!, container.resolve.orThrow((any Engine).self, name: "weak")))
        #expect(wrapped.count == 4)
        weak let gone = held as? Tuned
        held = nil
        #expect(gone == nil)
    }

    @Test("Rule 17: an alias is decorated once if its target is shared")
    func decoratedAlias() throws {
        let container = DIContainer {
            Shared(Diesel.init, as: (any Engine).self, (any Starter).self)
            tune("tuned")
        }
        var engine: (any Engine)! = try container.resolve.orThrow((any Engine).self)
        #expect(engine.kind == "tuned diesel")
        #expect(try isSame(engine!, container.resolve.orThrow((any Engine).self)))
        #expect(try isSame((engine as! Tuned).base, container.resolve.orThrow(Diesel.self)))
        #expect(try isSame(container.resolve.orThrow((any Starter).self), container.resolve.orThrow(Diesel.self)))
        #expect(try isSame(container.makeChild().resolve.orThrow((any Engine).self), engine!))
        weak let old = engine as? Tuned
        engine = nil
        container.register(Shared(Diesel(kind: "second")))
        #expect(try container.resolve.orThrow((any Engine).self).kind == "tuned second")
        #expect(old == nil)
    }

    @Test("Rule 17: wrap each name separately, resolve dependencies, rethrow errors")
    func namesAndErrors() throws {
        let container = DIContainer {
            Shared(Diesel() as any Engine)
            Shared(Diesel() as any Engine, name: "main")
            Decorate((any Engine).self, name: "main") { base, resolve in
                Tuned(base, "\(resolve(Ticket.self).number)")
            }
            Shared(Ticket(number: 7))
            New(1)
            Decorate(Int.self) { _, _ in throw Sabotage() }
        }
        #expect(try container.resolve.orThrow((any Engine).self).kind == "diesel")
        #expect(try container.resolve.orThrow((any Engine).self, name: "main").kind == "7 diesel")
        #expect(failure { _ = try container.resolve.orThrow(Int.self) }?.kind == "factoryFailed")
    }

    @Test("Rules 17, C6: with mainActor:, the decorated type belongs to the main actor")
    func mainActor() async {
        let container = DIContainer {
            Shared(Diesel() as any Engine)
            Decorate((any Engine).self, mainActor: { base, _ in Tuned(base) })
        }
        #expect(failure { _ = try container.resolve.orThrow((any Engine).self) }?.kind == "mainActorRequired")
        await MainActor.run {
            #expect(container.resolve((any Engine).self).kind == "tuned diesel")
            #expect(isSame(container.resolve((any Engine).self), container.resolve((any Engine).self)))
        }
        #expect(failure { _ = try container.resolve.orThrow((any Engine).self) }?.kind == "mainActorRequired")
    }

    @Test("Rules 7, C8: many threads on the first resolution get one decorated instance", arguments: [false, true])
    func race(isChild: Bool) {
        for _ in 0..<raceRounds {
            let wrapped = Counter()
            func decorate() -> Decorate {
                Decorate((any Engine).self) { base, _ in
                    wrapped.increment()
                    return Tuned(base)
                }
            }
            let parent = DIContainer {
                Shared(Diesel.init, as: (any Engine).self)
                decorate()
            }
            let container = isChild ? parent.makeChild() : parent
            let instances = onThreads(raceThreads) { _ in container.resolve((any Engine).self) }
            let isOne = instances.allSatisfy { isSame($0, instances[0]) }
            #expect(isOne && wrapped.count == 1)
        }
    }

    @Test("Rules 8, 17: a decorated but unregistered type is missing, its Optional nil")
    func onlyDecorated() throws {
        func decorate() -> Decorate { Decorate(Ticket.self) { base, _ in Ticket(number: base.number + 10) } }
        let parent = DIContainer { decorate() }
        let child = parent.makeChild { decorate() }
        let grandchild = child.makeChild()
        for container in [parent, child, grandchild] {
            #expect(!container.isRegistered(Ticket.self))
            #expect(try container.resolve.orThrow(Ticket?.self) == nil)
            #expect(try container.resolve.orThrow(Provider<Ticket>?.self) == nil)
            #expect(try container.resolve.orThrow.all(Ticket.self).isEmpty)
            #expect(failure { _ = try container.resolve.orThrow(Ticket.self) }?.kind == "notRegistered")
        }
        child.register(Shared(Ticket(number: 1)))
        #expect(!parent.isRegistered(Ticket.self) && [child, grandchild].allSatisfy { $0.isRegistered(Ticket.self) })
        #expect([parent, child, grandchild].map { $0.resolve(Ticket?.self)?.number } == [nil, 11, 11])
    }

    @Test("Rule 17: a parent's New is decorated with the resolver of the child")
    func decoratorOfNew() throws {
        let parent = DIContainer {
            New { _, label in Tuned(Diesel(), label) as any Engine }
            Decorate((any Engine).self) { base, resolve in
                Tuned(base, "\(resolve(Ticket.self).number) \(DIContainer.resolve(Ticket.self).number)")
            }
            Shared(Ticket(number: 1))
        }
        let child = parent.makeChild { Shared(Ticket(number: 2)) }
        #expect(try parent.resolve.orThrow((any Engine).self, arguments: "a").kind == "1 1 a diesel")
        #expect(try child.resolve.orThrow((any Engine).self, arguments: "a").kind == "2 2 a diesel")
    }
}
