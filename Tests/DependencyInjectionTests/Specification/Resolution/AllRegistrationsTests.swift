import DependencyInjection
import Testing

@Suite("Rule 13: All registrations of a type can be resolved")
struct AllTests {
    private let container = DIContainer {
        Shared(Diesel(kind: "b") as any Engine, name: "b")
        Shared(Diesel(kind: "unnamed") as any Engine)
        New(Diesel(kind: "a") as any Engine, name: "a")
        Shared(Diesel(kind: "aliased"), name: "alias", as: (any Engine).self)
        Shared("another type")
    }

    @Test("A collection has all registrations of the type in registration order, a child's before its parent's")
    func order() throws {
        #expect(try kinds(container) == ["b", "unnamed", "a", "aliased"])
        let child = container.makeChild {
            Shared(Diesel(kind: "child's") as any Engine, name: "child")
            Shared(Diesel(kind: "child's unnamed") as any Engine)
        }
        #expect(try kinds(child) == ["child's", "child's unnamed", "b", "a", "aliased"])
        #expect(try kinds(child.fork()) == ["child's", "child's unnamed", "b", "a", "aliased"])
        container.register(Shared(Diesel(kind: "b again") as any Engine, name: "b"))
        #expect(try kinds(container) == ["unnamed", "a", "aliased", "b again"])
        // A decorated registration stays in its place.
        container.register(tune(name: "a"))
        #expect(try kinds(container) == ["unnamed", "tuned a", "aliased", "b again"])
    }

    @Test("Injection gets the same instances as individual requests")
    func injection() throws {
        let all = try container.resolve.orThrow(All<any Engine>.self)
        #expect(try isSame(all[0], container.resolve.orThrow((any Engine).self, name: "b")))
        #expect(try isSame(all[1], container.resolve.orThrow((any Engine).self)))
        DIContainer.withContainer(container) {
            @Inject var engines: All<any Engine>
            @LazyInject var later: All<any Engine>
            #expect(engines.map(\.kind) == ["b", "unnamed", "a", "aliased"])
            #expect(later.count == 4)
        }
    }

    @Test("A registration that fails is an error")
    func failing() {
        container.register(Shared(name: "broken") { _ -> any Engine in throw Sabotage() })
        #expect(failure { _ = try container.resolve.orThrow.all((any Engine).self) }?.kind == "factoryFailed")
        #expect(container.error(of: All<any Engine>.self)?.kind == "factoryFailed")
    }

    @Test("Rules 8, 13: empty without registrations, as is an Optional of the collection")
    func none() throws {
        #expect(try container.resolve.orThrow.all(Int.self).isEmpty)
        #expect(try DIContainer().resolve.orThrow(All<any Engine>.self).isEmpty)
        #expect(try container.resolve.orThrow(All<Int>?.self)?.isEmpty == true)
        #expect(try container.resolve.orThrow(All<any Engine>?.self)?.count == 4)
    }

    @Test("With a name, only the registrations of that name, own or inherited")
    func named() throws {
        let child = container.makeChild { Shared(Diesel(kind: "child's") as any Engine, name: "a") }
        #expect(try kinds(child, name: "a") == ["child's"])
        #expect(try kinds(child, name: "b") == ["b"])
        #expect(try kinds(child, name: "none").isEmpty)
    }
}
