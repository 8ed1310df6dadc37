import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

/// Replacements in a parent, or in a container nearer to a child, while the child builds.
@Suite("Replacements during a child's build", .mayHang, .ownThread)
struct ReplacedDuringBuildTests {
    @Test("Rule 1: a child uses its parent's change during a build at the next request")
    func childFollows() throws {
        let pair = ParentAndChild()
        let (parent, child) = (pair.parent, pair.child)
        let kinds = whileBuilding(in: child) {
            parent.register {
                Shared(Diesel(kind: "new"), as: (any Engine).self)
                Scoped(Ticket(number: 2))
                Shared("new")
            }
            return [parent.resolve(Diesel.self).kind, parent.resolve((any Engine).self).kind]
        }
        #expect(kinds == ["new", "new"])
        #expect(try child.resolve.orThrow(Diesel.self).kind == "new")
        #expect(try child.resolve.orThrow((any Engine).self).kind == "new")
        #expect(try child.resolve.orThrow(Ticket.self).number == 2)
        #expect(try child.resolve.orThrow(String.self) == "new")
    }

    @Test("Rule 1: a child caches nothing of a registration removed during its build")
    func removedDuringBuild() throws {
        let parent = DIContainer()
        parent.register {
            Shared(1)
            Scoped { [weak parent] resolve in
                parent?.unregister(Diesel.self)
                // This request detects the change before the instance is cached.
                _ = resolve(Int.self)
                return Diesel()
            }
        }
        let child = parent.makeChild()
        weak let old = try child.resolve.orThrow(Diesel.self)
        #expect(old == nil)
        #expect(try child.resolve.orThrow(Diesel?.self) == nil)
    }

    @Test("Rule 1: a child caches nothing of a registration overridden during its build")
    func overriddenDuringBuild() throws {
        let top = DIContainer()
        let middle = top.makeChild()
        top.register {
            Shared(1)
            Scoped { [weak middle] resolve in
                middle?.register(Scoped(Diesel(kind: "middle")))
                _ = resolve(Int.self)
                return Diesel(kind: "top")
            }
        }
        let child = middle.makeChild()
        weak let old = try child.resolve.orThrow(Diesel.self)
        #expect(old == nil)
        #expect(try child.resolve.orThrow(Diesel.self).kind == "middle")
    }

    @Test("Rule 1: an asynchronous build that was overridden is not cached")
    func overriddenDuringAsyncBuild() async throws {
        let gate = Gate()
        let began = Gate()
        let top = DIContainer {
            Shared(1)
            Scoped(async: { _ in
                began.open()
                try await gate.wait()
                return Diesel(kind: "top")
            })
        }
        let middle = top.makeChild()
        let child = middle.makeChild()
        let task = Task { try await child.resolve.async(Diesel.self).kind }
        try await began.wait()
        middle.register(Scoped(Diesel(kind: "middle")))
        #expect(try child.resolve.orThrow(Int.self) == 1)
        gate.open()
        #expect(try await task.value == "middle")
        let released = Counter()
        let observation = child.observe { if $0.kind == .released { released.increment() } }
        child.resetInstances()
        observation.cancel()
        #expect(released.count == 1)
    }
}
