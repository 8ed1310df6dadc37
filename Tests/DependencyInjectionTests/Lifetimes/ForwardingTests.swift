import DependencyInjection
import Testing

@Suite("What is made of another registration's instance", .serialized)
struct ForwardingTests {
    final class Wrapped: Engine {
        let base: any Engine
        init(_ base: any Engine) { self.base = base }
        var kind: String { "wrapped \(base.kind)" }
    }

    private let wrap = Decorate((any Engine).self) { base, _ in Wrapped(base) }

    @Test(
        "Rule 17: resetting a parent's instances leaves a child's Scoped instances alone, and not what was made of the parent's"
    )
    func parentReset() {
        let parent = DIContainer {
            Scoped(Diesel())
            Shared(Diesel() as any Engine)
        }
        let child = parent.makeChild { wrap }
        let scoped = child.resolve(Diesel.self)
        _ = parent.resolve(Diesel.self)
        weak let wrapped = child.resolve((any Engine).self) as? Wrapped
        parent.resetInstances()
        #expect(child.resolve(Diesel.self) === scoped)
        // A parent knows nothing of its children: they notice when they are asked.
        _ = child.resolve((any Engine).self)
        #expect(wrapped == nil)
    }

    @Test("Rule 17: an instance whose base was replaced while it was being wrapped is not kept")
    func replacedMeanwhile() {
        let parent = DIContainer { Shared(Diesel(kind: "old") as any Engine) }
        let child = parent.makeChild {
            Decorate((any Engine).self) { base, _ in
                if base.kind == "old" {
                    parent.register(Shared(Diesel(kind: "new") as any Engine))
                    _ = parent.resolve((any Engine).self)
                }
                return Wrapped(base)
            }
        }
        #expect(child.resolve((any Engine).self).kind == "wrapped old")
        #expect(child.resolve((any Engine).self).kind == "wrapped new")
    }

    @Test(
        "Rule 9: with arguments, a decorated alias of a Shared is wrapped once, and takes none where its target does not"
    )
    func arguments() {
        let container = DIContainer {
            Shared({ (_, kind: String) in Diesel(kind: kind) }, as: (any Engine).self)
            wrap
            Shared(Ticket(number: 1), as: (any Sendable).self)
        }
        let first: any Engine = container.resolve("first")
        #expect(isSame(first, container.resolve((any Engine).self, arguments: "second")))
        #expect(isSame(first, container.resolve((any Engine).self)))
        for _ in 0..<2 {
            #expect(
                failure { _ = try container.resolve.orThrow((any Sendable).self, arguments: 1) }?.kind
                    == "argumentMismatch")
            _ = container.resolve((any Sendable).self)
        }
    }

    @Test("Rule 12: a decorated Weak does not vanish within the graph that needs it")
    func decoratedWeak() {
        let wrapped = Counter()
        let container = DIContainer {
            Weak(Diesel() as any Engine)
            Decorate((any Engine).self) { base, _ in
                wrapped.increment()
                return Wrapped(base)
            }
            New { resolve in
                let engine: any Engine = resolve()
                return [ObjectIdentifier(engine as AnyObject)]
            }
            New(name: "twice") { resolve -> [ObjectIdentifier] in
                let first: [ObjectIdentifier] = resolve()
                return first + resolve([ObjectIdentifier].self)
            }
        }
        let identities = container.resolve([ObjectIdentifier].self, name: "twice")
        #expect(identities[0] == identities[1] && wrapped.count == 1)
    }

    @Test(
        "Rule C8: two children that rebuild what their parent's weak instances were wrapped in do not deadlock",
        .timeLimit(.minutes(20)))
    func siblings() {
        for _ in 0..<50 {
            let parent = DIContainer {
                Weak(Diesel() as any Engine)
                Weak(Diesel() as any Engine, name: "other")
                Scoped { resolve in Car(engine: resolve()) }
                Scoped(name: "other") { resolve in Car(engine: resolve(name: "other")) }
            }
            func child() -> DIContainer {
                parent.makeChild {
                    wrap
                    Decorate((any Engine).self, name: "other") { base, _ in Wrapped(base) }
                }
            }
            let children = [child(), child()]
            for child in children {
                _ = child.resolve((any Engine).self)
                _ = child.resolve((any Engine).self, name: "other")
            }
            let kinds = onThreads(2) { index in
                children[index].resolve(Car.self, name: index == 0 ? nil : "other").engine.kind
            }
            #expect(kinds == ["wrapped diesel", "wrapped diesel"])
        }
    }

    @Test(
        "Rule C8: a child that is dropped in a factory of its parent, while another thread is inside the child, does not deadlock",
        .timeLimit(.minutes(20)))
    func droppedInFactory() {
        for _ in 0..<50 {
            let parent = DIContainer { Shared(Diesel() as any Engine) }
            let children = Locked<[DIContainer]>([parent.makeChild { Shared { resolve in Car(engine: resolve()) } }])
            let resolver = children.withLock { $0[0].resolve }
            parent.register(
                Shared { _ in
                    children.withLock { $0 = [] }
                    return Ticket(number: 1)
                })
            let results = onThreads(2) { index in
                index == 0 ? parent.resolve(Ticket.self).number : resolver(Car.self).engine.kind.count
            }
            #expect(Set(results) == [1, 6])
        }
    }

    @Test("Rule 12: what decorates an alias of a Weak, and does not hold that, is shared while somebody holds it")
    func decoratorWithoutWeak() {
        let built = Counter()
        let container = DIContainer {
            Weak(as: (any Engine).self) { _ in
                built.increment()
                return Diesel()
            }
            Decorate((any Engine).self) { _, _ in Diesel(kind: "decorated") }
        }
        let held: any Engine = container.resolve()
        #expect(isSame(held, container.resolve((any Engine).self)))
        #expect(built.count == 1)
        #expect(whileBuilding(in: container) { isSame(container.resolve((any Engine).self), held) } == true)
    }

    @Test("Rule 12: an alias of a Weak that is decorated with a value is an error, as the Weak itself would be")
    func weakValue() {
        struct Value: Engine { let kind = "value" }
        let container = DIContainer {
            Weak(Diesel(), as: (any Engine).self)
            Decorate((any Engine).self) { _, _ in Value() }
        }
        #expect(failure { _ = try container.resolve.orThrow((any Engine).self) }?.kind == "weakValueType")
        #expect(container.resolve(Diesel.self).kind == "diesel")
    }
}
