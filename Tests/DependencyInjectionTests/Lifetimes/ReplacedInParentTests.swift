import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

/// A child's instances of registrations that a parent replaces or removes later.
@Suite("Replacements in a parent", .mayHang, .ownThread)
struct ReplacedInParentTests {
    /// The replacement of a parent's registration.
    struct Replacement: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let kind: String?
        /// Whether the child caches the new instance.
        var isCached = false
        let replace: @Sendable (DIContainer) -> Void

        static let all: [Replacement] = [
            Replacement(testDescription: "a Scoped", kind: "new", isCached: true) {
                $0.register(Scoped(Diesel(kind: "new")))
            },
            Replacement(testDescription: "a Shared", kind: "new") {
                $0.register(Shared(Diesel(kind: "new")))
            },
            Replacement(testDescription: "a Shared that is built", kind: "new") { parent in
                parent.register(Shared(Diesel(kind: "new")))
                _ = parent.resolve(Diesel.self)
            },
            Replacement(testDescription: "a Weak", kind: "new") {
                $0.register(Weak(Diesel(kind: "new")))
            },
            Replacement(testDescription: "a New", kind: "new") { $0.register(New(Diesel(kind: "new"))) },
            Replacement(testDescription: "a Graph", kind: "new") { $0.register(Graph(Diesel(kind: "new"))) },
            Replacement(testDescription: "nothing", kind: nil) { $0.unregister(Diesel.self) },
            Replacement(testDescription: "a reset", kind: nil) { $0.reset() },
        ]
    }

    @Test("Rule 1: a child releases a replaced Scoped with its successor or with itself", arguments: Replacement.all)
    func replacedByAnything(_ replacement: Replacement) throws {
        let parent = DIContainer { Scoped(Diesel(kind: "old")) }
        var child: DIContainer? = parent.makeChild().makeChild { Shared(1) }
        weak let old = try child?.resolve.orThrow(Diesel.self)
        #expect(old?.kind == "old")
        replacement.replace(parent)
        #expect(old != nil, "the parent has changed its child")
        #expect(try child?.resolve.orThrow(Diesel?.self)?.kind == replacement.kind)
        #expect((old == nil) == replacement.isCached)
        #expect(try child?.resolve.orThrow(Diesel?.self)?.kind == replacement.kind)
        child = nil
        #expect(old == nil)
    }

    @Test("Rule 10: a child caches one instance per key, even if parents change")
    func oneInstance() throws {
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
        let child = parent.makeChild()
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
            default: owner.unregister(Part.self)
            }
            _ = try child.resolve.orThrow(Part?.self)
            // The instance of the child, and at most one of each parent.
            #expect(made.count - released.count <= 3)
        }
    }

    @Test("Rule 1: a child releases a parent's Scoped when it registers the type itself")
    func overriddenInChild() throws {
        let parent = DIContainer { Scoped(Diesel(kind: "old")) }
        let child = parent.makeChild()
        weak let old = try child.resolve.orThrow(Diesel.self)
        child.register(Shared(Diesel(kind: "own")))
        #expect(old == nil)
        #expect(try child.resolve.orThrow(Diesel.self).kind == "own")
    }

    @Test("A parent's change leaves a child's instances of other registrations alone")
    func othersStay() throws {
        let parent = DIContainer {
            Scoped(Diesel(kind: "scoped"))
            Shared(Car(engine: Diesel()))
        }
        let child = parent.makeChild()
        let (scoped, shared) = try (child.resolve.orThrow(Diesel.self), child.resolve.orThrow(Car.self))
        parent.register(Shared(1))
        #expect(try child.resolve.orThrow(Int.self) == 1)
        parent.register(Shared("new"))
        #expect(try child.resolve.orThrow(Car.self) === shared && child.resolve.orThrow(Diesel.self) === scoped)
    }

    @Test("Reading a cached instance waits for no build of the child after a change")
    func sweepNeverWaits() {
        let pair = ParentAndChild()
        let (parent, child) = (pair.parent, pair.child)
        let result = whileBuilding(in: child) {
            parent.register(Shared(7))
            return parent.resolve(Int.self) + child.resolve(Int.self)
        }
        #expect(result == 14)
    }
}
