import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

/// What a child has made of what a parent has replaced or removed since.
@Suite("What a parent has replaced")
struct ReplacedInParentTests {
    @Test("Rule 1: what a child made of a parent's replaced registration goes at the child's next request for it")
    func parentNeverChangesChild() {
        let parent = DIContainer { Shared(Diesel(kind: "old")) }
        let child = parent.makeChild { Decorate(Diesel.self) { base, _ in Diesel(kind: "decorated \(base.kind)") } }
        weak let base = parent.resolve(Diesel.self)
        weak let decorated = child.resolve(Diesel.self)
        parent.register(Shared(Diesel(kind: "new")))
        #expect(base == nil)
        #expect(decorated != nil, "the parent has changed its child")
        #expect(child.resolve(Diesel.self).kind == "decorated new")
        #expect(decorated == nil)
    }

    @Test(
        "Rule 1: what a child made of a parent's Scoped goes at its next request, whatever takes the place of that",
        arguments: replacements.indices)
    func replacedByAnything(_ index: Int) {
        let (name, kind, replace) = Self.replacements[index]
        let parent = DIContainer { Scoped(Diesel(kind: "old")) }
        let child = parent.makeChild().makeChild { Decorate(String.self) { base, _ in base } }
        weak let old = child.resolve(Diesel.self)
        #expect(old?.kind == "old")
        replace(parent)
        #expect(old != nil, "the parent has changed its child")
        #expect(child.resolve(Diesel?.self)?.kind == kind)
        #expect(old == nil, "\(name) leaves the old instance")
        #expect(child.resolve(Diesel?.self)?.kind == kind)
    }

    @Test(
        "Rule 1: what a child's decorator made goes at the child's next request, whatever takes the place of the parent's",
        arguments: replacements.indices)
    func decoratedIsReplacedByAnything(_ index: Int) {
        let (name, kind, replace) = Self.replacements[index]
        let parent = DIContainer { Shared(Diesel(kind: "old"), as: (any Engine).self) }
        let child = parent.makeChild {
            Decorate(Diesel.self) { base, _ in Diesel(kind: "decorated \(base.kind)") }
        }
        weak let old = child.resolve(Diesel.self)
        #expect(old?.kind == "decorated old")
        replace(parent)
        #expect(old != nil, "the parent has changed its child")
        #expect(child.resolve(Diesel?.self)?.kind == kind.map { "decorated \($0)" })
        #expect(old == nil, "\(name) leaves the old instance")
    }

    private static let replacements: [(name: String, kind: String?, replace: @Sendable (DIContainer) -> Void)] = [
        ("a Scoped", "new", { $0.register(Scoped(Diesel(kind: "new"))) }),
        ("a Shared", "new", { $0.register(Shared(Diesel(kind: "new"))) }),
        (
            "a Shared that is built", "new",
            { parent in
                parent.register(Shared(Diesel(kind: "new")))
                _ = parent.resolve(Diesel.self)
            }
        ),
        ("a New", "new", { $0.register(New(Diesel(kind: "new"))) }),
        ("a Weak", "new", { $0.register(Weak(Diesel(kind: "new"))) }),
        ("a Graph", "new", { $0.register(Graph(Diesel(kind: "new"))) }),
        ("nothing", nil, { $0.unregister(Diesel.self) }),
        ("resetting", nil, { $0.reset() }),
    ]

    @Test("Rule 1: what a child made of a parent's Scoped goes when the child registers the type itself")
    func overriddenInChild() {
        let parent = DIContainer { Scoped(Diesel(kind: "old")) }
        let child = parent.makeChild()
        weak let old = child.resolve(Diesel.self)
        child.register(Shared(Diesel(kind: "own")))
        #expect(old == nil)
        #expect(child.resolve(Diesel.self).kind == "own")
    }

    @Test("A change of the parent leaves what the child made of its other registrations")
    func othersStay() {
        let parent = DIContainer {
            Scoped(Diesel(kind: "scoped"))
            Shared(Car(engine: Diesel()))
        }
        let child = parent.makeChild { Decorate(Car.self) { base, _ in Car(engine: base.engine) } }
        let (scoped, decorated) = (child.resolve(Diesel.self), child.resolve(Car.self))
        parent.register(Shared(1))
        #expect(child.resolve(Int.self) == 1)
        child.register(Decorate(Diesel.self) { base, _ in Diesel(kind: "decorated \(base.kind)") })
        #expect(child.resolve(Diesel.self).kind == "decorated scoped")
        child.unregister(Diesel.self)
        parent.register(Shared("new"))
        #expect(child.resolve(Car.self) === decorated)
        withExtendedLifetime(scoped) {}
    }

    @Test("Reading what is built waits for no build of the child, also if a parent has changed")
    func sweepNeverWaits() {
        let family = Family()
        let (parent, child) = (family.parent, family.child)
        let answer = whileBuilding(in: child) {
            parent.register(Shared(7))
            return parent.resolve(Int.self) + child.resolve(Int.self)
        }
        #expect(answer == 14)
    }

    @Test("Rule 1: what a child made of a parent's replaced registration goes with the child")
    func goesWithChild() {
        let parent = DIContainer {
            Shared(Diesel(kind: "old"))
            Scoped(Car(engine: Diesel()))
        }
        func build() -> [() -> AnyObject?] {
            let child = parent.makeChild { Decorate(Diesel.self) { _, _ in Diesel(kind: "decorated") } }
            weak let decorated = child.resolve(Diesel.self)
            weak let scoped = child.resolve(Car.self)
            parent.register {
                Shared(Diesel(kind: "new"))
                Scoped(Car(engine: Diesel()))
            }
            return [{ decorated }, { scoped }]
        }
        #expect(build().allSatisfy { $0() == nil })
    }

    @Test("Rule 10: what a child kept of one parent's registration goes when it builds by another parent's")
    func otherOwner() {
        let top = DIContainer { Scoped(Diesel(kind: "top")) }
        let middle = top.makeChild()
        let child = middle.makeChild()
        weak let old = child.resolve(Diesel.self)
        top.unregister(Diesel.self)
        middle.register(Scoped(Diesel(kind: "middle")))
        #expect(old != nil)
        #expect(child.resolve(Diesel.self).kind == "middle")
        #expect(old == nil)
    }

    @Test("Rule 17: a Shared that 70 nested containers decorate is wrapped once in each")
    func manyLevels() {
        let wrapped = Counter()
        var containers = [DIContainer { Shared(Diesel(), as: (any Engine).self) }]
        for _ in 0..<70 {
            let child = containers[containers.count - 1].makeChild {
                Decorate(Diesel.self) { base, _ in
                    wrapped.increment()
                    return Diesel(kind: "\(base.kind)+")
                }
            }
            containers.append(child)
        }
        let deepest = containers[70]
        let outcome = Elsewhere {
            let first = deepest.resolve(Diesel.self)
            let isOne = isSame(deepest.resolve(Diesel.self), first) && isSame(deepest.resolve((any Engine).self), first)
            return (isOne: isOne, kind: first.kind)
        }.result()
        #expect(outcome?.kind == "diesel" + String(repeating: "+", count: 70))
        #expect(outcome?.isOne == true)
        #expect(wrapped.count == 70)
    }

    @Test("Rule 1: what a child made of a replaced registration goes at a request of its own child that it answers")
    func between() {
        weak var old: Diesel?
        let root = DIContainer { Shared(Diesel(kind: "old")) }
        let middle = root.makeChild { Decorate(Diesel.self) { base, _ in Diesel(kind: "decorated \(base.kind)") } }
        let leaf = middle.makeChild()
        old = leaf.resolve(Diesel.self)
        #expect(old?.kind == "decorated old")
        root.register { New(Diesel(kind: "new")) }
        #expect(leaf.resolve(Diesel.self).kind == "decorated new")
        #expect(old == nil)
    }

    @Test("Rule 1: what a child made goes also if another container's instance answers by then, found by a decorator")
    func foundByDecorator() {
        let root = DIContainer { Scoped(Diesel(kind: "old")) }
        let middle = root.makeChild { Decorate(Diesel.self) { base, _ in Diesel(kind: "decorated \(base.kind)") } }
        let leaf = middle.makeChild()
        weak var old: Diesel?
        old = leaf.resolve(Diesel.self)
        root.register { Shared(Diesel(kind: "new")) }
        let new = middle.resolve(Diesel.self)
        #expect(leaf.resolve(Diesel.self) === new && old == nil)
    }

    @Test("Rule 1: what a child made goes also if another child's instance answers by then, found by an alias")
    func foundByAlias() {
        let root = DIContainer { Scoped(Diesel(kind: "old")) }
        let children = (0..<2).map { _ in root.makeChild { Shared(Diesel(), as: (any Engine).self) } }
        for child in children { child.unregister(Diesel.self) }
        weak var old: Diesel?
        old = children[0].resolve((any Engine).self) as? Diesel
        root.register { Shared(Diesel(kind: "new")) }
        let new = children[1].resolve((any Engine).self)
        #expect(isSame(children[0].resolve((any Engine).self), new) && old == nil)
    }
    @Test("Rule 1: what a child made goes also if its parent's alias answers by then, with what is built")
    func foundByParentsAlias() {
        let parent = DIContainer { Scoped(Diesel(kind: "old") as any Engine) }
        let child = parent.makeChild()
        weak var old: Diesel?
        old = child.resolve((any Engine).self) as? Diesel
        parent.register { Shared(Diesel(kind: "new"), as: (any Engine).self) }
        let new = parent.resolve((any Engine).self)
        #expect(old != nil)
        #expect(isSame(child.resolve((any Engine).self), new) && old == nil)
    }
}
