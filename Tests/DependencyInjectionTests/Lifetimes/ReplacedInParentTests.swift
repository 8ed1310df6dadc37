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

    /// What takes the place of a parent's registration.
    struct Replacement: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let kind: String?
        /// Whether the child keeps what it makes of it, with a decorator.
        var isKeptByDecorator = false
        /// Whether the child keeps what it makes of it, without a decorator.
        var isKept = false
        let replace: @Sendable (DIContainer) -> Void

        static let all: [Replacement] = [
            Replacement(testDescription: "a Scoped", kind: "new", isKeptByDecorator: true, isKept: true) {
                $0.register(Scoped(Diesel(kind: "new")))
            },
            Replacement(testDescription: "a Shared", kind: "new", isKeptByDecorator: true) {
                $0.register(Shared(Diesel(kind: "new")))
            },
            Replacement(testDescription: "a Shared that is built", kind: "new", isKeptByDecorator: true) { parent in
                parent.register(Shared(Diesel(kind: "new")))
                _ = parent.resolve(Diesel.self)
            },
            Replacement(testDescription: "a Weak", kind: "new", isKeptByDecorator: true) {
                $0.register(Weak(Diesel(kind: "new")))
            },
            Replacement(testDescription: "a New", kind: "new") { $0.register(New(Diesel(kind: "new"))) },
            Replacement(testDescription: "a Graph", kind: "new") { $0.register(Graph(Diesel(kind: "new"))) },
            Replacement(testDescription: "nothing", kind: nil) { $0.unregister(Diesel.self) },
            Replacement(testDescription: "a reset", kind: nil) { $0.reset() },
        ]
    }

    @Test(
        "Rule 1: what a child made of a parent's replaced Scoped goes when it puts another in its place, or with the child",
        arguments: Replacement.all)
    func replacedByAnything(_ replacement: Replacement) {
        let parent = DIContainer { Scoped(Diesel(kind: "old")) }
        var child: DIContainer? = parent.makeChild().makeChild { Decorate(String.self) { base, _ in base } }
        weak let old = child?.resolve(Diesel.self)
        #expect(old?.kind == "old")
        replacement.replace(parent)
        #expect(old != nil, "the parent has changed its child")
        #expect(child?.resolve(Diesel?.self)?.kind == replacement.kind)
        #expect((old == nil) == replacement.isKept)
        #expect(child?.resolve(Diesel?.self)?.kind == replacement.kind)
        child = nil
        #expect(old == nil)
    }

    @Test(
        "Rules 1, 17: what a child's decorator made goes when the child puts another in its place, or with the child",
        arguments: Replacement.all)
    func decoratedIsReplacedByAnything(_ replacement: Replacement) {
        let parent = DIContainer { Shared(Diesel(kind: "old"), as: (any Engine).self) }
        var child: DIContainer? = parent.makeChild {
            Decorate(Diesel.self) { base, _ in Diesel(kind: "decorated \(base.kind)") }
        }
        weak let old = child?.resolve(Diesel.self)
        #expect(old?.kind == "decorated old")
        replacement.replace(parent)
        #expect(old != nil, "the parent has changed its child")
        #expect(child?.resolve(Diesel?.self)?.kind == replacement.kind.map { "decorated \($0)" })
        #expect((old == nil) == replacement.isKeptByDecorator)
        child = nil
        #expect(old == nil)
    }

    @Test("Rule 10: a child that lives long keeps one instance for a key, whatever its parents do")
    func oneInstance() {
        final class Part: Sendable {
            let base: Part?
            let released: Counter
            init(around base: Part? = nil, _ made: Counter, _ released: Counter) {
                self.base = base
                self.released = released
                made.increment()
            }
            deinit { released.increment() }
        }
        let (made, released) = (Counter(), Counter())
        let top = DIContainer()
        let parent = top.makeChild()
        let child = parent.makeChild { Decorate(Part.self) { base, _ in Part(around: base, made, released) } }
        var random = SmallGenerator(state: 7)
        for _ in 0..<500 {
            let owner = Bool.random(using: &random) ? top : parent
            switch Int.random(in: 0..<8, using: &random) {
            case 0: owner.register(Shared(Part(made, released)))
            case 1: owner.register(Scoped(Part(made, released)))
            case 2: owner.register(Weak(Part(made, released)))
            case 3: owner.register(Graph(Part(made, released)))
            case 4: owner.register(New(Part(made, released)))
            case 5: owner.resetInstances()
            case 6: parent.unregister(Part.self)
            default: parent.register(Decorate(Part.self) { base, _ in base })
            }
            _ = child.resolve(Part?.self)
            // The child's, around what it was made of; and one that each parent may keep.
            #expect(made.count - released.count <= 4)
        }
    }

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

    @Test("Rule 17: a Shared that 15 nested containers decorate is wrapped once in each")
    func manyLevels() {
        let wrapped = Counter()
        var containers = [DIContainer { Shared(Diesel(), as: (any Engine).self) }]
        for _ in 0..<15 {
            let child = containers[containers.count - 1].makeChild {
                Decorate(Diesel.self) { base, _ in
                    wrapped.increment()
                    return Diesel(kind: "\(base.kind)+")
                }
            }
            containers.append(child)
        }
        let deepest = containers[15]
        let outcome = Elsewhere {
            let first = deepest.resolve(Diesel.self)
            let isOne = isSame(deepest.resolve(Diesel.self), first) && isSame(deepest.resolve((any Engine).self), first)
            return (isOne: isOne, kind: first.kind)
        }.result()
        #expect(outcome?.kind == "diesel" + String(repeating: "+", count: 15))
        #expect(outcome?.isOne == true)
        #expect(wrapped.count == 15)
    }

    @Test("Rule 1: what a child made of a replaced registration is no answer for its own child")
    func between() {
        weak var old: Diesel?
        let root = DIContainer { Shared(Diesel(kind: "old")) }
        let middle = root.makeChild { Decorate(Diesel.self) { base, _ in Diesel(kind: "decorated \(base.kind)") } }
        let leaf = middle.makeChild()
        old = leaf.resolve(Diesel.self)
        #expect(old?.kind == "decorated old")
        root.register { New(Diesel(kind: "new")) }
        #expect(leaf.resolve(Diesel.self).kind == "decorated new")
        root.register { Shared(Diesel(kind: "newer")) }
        #expect(leaf.resolve(Diesel.self).kind == "decorated newer")
        #expect(old == nil)
    }

    @Test("Rules 1, 10: what a child made is no answer if another container's instance is, found by a decorator")
    func foundByDecorator() {
        let root = DIContainer { Scoped(Diesel(kind: "old")) }
        let middle = root.makeChild { Decorate(Diesel.self) { base, _ in Diesel(kind: "decorated \(base.kind)") } }
        let leaf = middle.makeChild()
        #expect(leaf.resolve(Diesel.self).kind == "decorated old")
        root.register { Shared(Diesel(kind: "new")) }
        let new = middle.resolve(Diesel.self)
        #expect(leaf.resolve(Diesel.self) === new)
    }

    @Test("Rules 1, 10: what a child made is no answer if another container's instance is, found by an alias")
    func foundByAlias() {
        let root = DIContainer { Scoped(Diesel(kind: "old")) }
        let children = (0..<2).map { _ in root.makeChild { Shared(Diesel(), as: (any Engine).self) } }
        for child in children { child.unregister(Diesel.self) }
        #expect((children[0].resolve((any Engine).self) as? Diesel)?.kind == "old")
        root.register { Shared(Diesel(kind: "new")) }
        let new = children[1].resolve((any Engine).self)
        #expect(isSame(children[0].resolve((any Engine).self), new))
    }

    @Test("Rules 1, 10: what a child made is no answer if its parent's alias is")
    func foundByParentsAlias() {
        let parent = DIContainer { Scoped(Diesel(kind: "old") as any Engine) }
        let child = parent.makeChild()
        weak let old = child.resolve((any Engine).self) as? Diesel
        parent.register { Shared(Diesel(kind: "new"), as: (any Engine).self) }
        let new = parent.resolve((any Engine).self)
        #expect(old != nil)
        #expect(isSame(child.resolve((any Engine).self), new))
    }
}
