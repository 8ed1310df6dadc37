import DependencyInjection
import Testing

@Suite("Rule 13: All registrations of a type can be resolved")
struct AllTests {
    protocol Plugin: Sendable { var title: String { get } }
    struct Named: Plugin { let title: String }
    struct Host {
        @Inject var plugins: All<any Plugin>
        @LazyInject var later: All<any Plugin>
    }

    private let container = DIContainer {
        Shared(Named(title: "b") as any Plugin, name: "b")
        Shared(Named(title: "unnamed") as any Plugin)
        New(Named(title: "a") as any Plugin, name: "a")
        Shared(Named(title: "aliased"), name: "alias", as: (any Plugin).self)
        Shared("another type")
    }

    @Test("A collection has all registrations of the type in registration order")
    func order() throws {
        #expect(try container.resolve.orThrow.all((any Plugin).self).map(\.title) == ["b", "unnamed", "a", "aliased"])
        #expect(try container.resolve.orThrow.all((any Plugin).self).count == 4)
        container.register(Shared(Named(title: "b again") as any Plugin, name: "b"))
        #expect(
            try container.resolve.orThrow.all((any Plugin).self).map(\.title) == ["unnamed", "a", "aliased", "b again"])
    }

    @Test("A child's registrations come before its parent's")
    func tree() throws {
        let child = container.makeChild {
            Shared(Named(title: "child's") as any Plugin, name: "child")
            Shared(Named(title: "child's unnamed") as any Plugin)
        }
        #expect(
            try child.resolve.orThrow.all((any Plugin).self).map(\.title) == [
                "child's", "child's unnamed", "b", "a", "aliased",
            ])
        let fork = child.fork()
        #expect(
            try fork.resolve.orThrow.all((any Plugin).self).map(\.title) == [
                "child's", "child's unnamed", "b", "a", "aliased",
            ])
    }

    @Test("Injection gets the same instances as individual requests")
    func injection() throws {
        let instances = DIContainer {
            Shared(Diesel() as any Engine)
            Shared(Diesel() as any Engine, name: "other")
        }
        let all = try instances.resolve.orThrow(All<any Engine>.self)
        #expect(try isSame(all[0], instances.resolve.orThrow((any Engine).self)))
        #expect(try isSame(all[1], instances.resolve.orThrow((any Engine).self, name: "other")))
        let host = DIContainer.withContainer(container) { Host() }
        #expect(host.plugins.map(\.title) == ["b", "unnamed", "a", "aliased"])
        #expect(host.later.count == 4)
    }

    @Test("A registration that fails is an error")
    func failing() {
        container.register(Shared(name: "broken") { _ -> any Plugin in throw Sabotage() })
        #expect(failure { _ = try container.resolve.orThrow.all((any Plugin).self) }?.kind == "factoryFailed")
        #expect(failure { _ = try container.resolve.orThrow(All<any Plugin>.self) }?.kind == "factoryFailed")
    }

    @Test("A decorated registration stays in its place")
    func decorated() throws {
        container.register {
            Decorate((any Plugin).self, name: "b") { base, _ in Named(title: "decorated \(base.title)") }
        }
        let titles = ["decorated b", "unnamed", "a", "aliased"]
        #expect(try container.resolve.orThrow.all((any Plugin).self).map(\.title) == titles)
        #expect(try container.resolve.orThrow(All<any Plugin>.self).map(\.title) == titles)
    }

    @Test("Rules 8, 13: empty without registrations, as is an Optional of the collection")
    func none() throws {
        #expect(try container.resolve.orThrow.all(Int.self).isEmpty)
        #expect(try DIContainer().resolve.orThrow(All<any Plugin>.self).isEmpty)
        #expect(try container.resolve.orThrow(All<Int>?.self)?.isEmpty == true)
        #expect(try container.resolve.orThrow(All<any Plugin>?.self)?.count == 4)
    }

    @Test("With a name, only the registrations of that name, own or inherited")
    func named() throws {
        let child = container.makeChild { Shared(Named(title: "child's") as any Plugin, name: "a") }
        #expect(try child.resolve.orThrow.all((any Plugin).self, name: "a").map(\.title) == ["child's"])
        #expect(try child.resolve.orThrow.all((any Plugin).self, name: "b").map(\.title) == ["b"])
        #expect(try child.resolve.orThrow.all((any Plugin).self, name: "none").isEmpty)
    }
}
