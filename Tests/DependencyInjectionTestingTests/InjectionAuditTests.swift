import DependencyInjection
import DependencyInjectionTesting
import InjectionFixtures
import Testing

@Suite("The injection audit")
struct InjectionAuditTests {
    @Test("It finds the injected properties of all types and their missing dependencies")
    func everything() {
        let audit = InjectionAudit.run(makeContainer(), modules: fixtureModule)
        let found = audit.properties.map(\.description)
        #if DEBUG
            #expect(found == (ofPublicTypes + ofOtherTypes).sorted())
        #else
            #expect(Set(found).isSubset(of: ofPublicTypes + ofOtherTypes))
            #expect(Set(found).isSuperset(of: ofPublicTypes))
        #endif
        #expect(audit.description == found.joined(separator: "\n"))
        #expect(audit.missing.map(\.description) == found.filter { $0.hasSuffix("(not registered)") })
        #expect(audit.byNameOnly.map(\.description) == found.filter { $0.hasSuffix("(registered by name only)") })
        #expect(audit.unknown.map(\.description) == found.filter { $0.hasSuffix("(unknown)") })
        #expect(Set(audit.properties.map(\.wrapper)) == ["Inject", "LazyInject", "MutableInject", "MutableLazyInject"])
    }

    @Test("A property has a module, path, wrapper, dependency and status")
    func parts() throws {
        let audit = InjectionAudit.run(makeContainer(), modules: fixtureModule) {
            $0.name == "session" && $0.owner == "Screen"
        }
        let property = try #require(audit.properties.first)
        #expect(audit.properties.count == 1)
        #expect(property.module == "InjectionFixtures")
        #expect(property.path == "InjectionFixtures.Screen.session")
        #expect(property.wrapper == "LazyInject")
        #expect(property.dependency == (any Session).self)
        #expect(property.status == .registered)
    }

    @Test("It neither builds nor changes anything")
    func buildsNothing() throws {
        let builds = BuildCounter()
        let container = makeContainer(builds)
        container.seal()
        for _ in 0..<3 { _ = InjectionAudit.run(container) }
        #expect(builds.count == 0)
        _ = try container.resolve.orThrow((any Router).self)
        #expect(builds.count == 1)
    }

    @Test("It covers private types and other modules, and by default all modules")
    func modules() {
        struct Local { @Inject var router: any Router }
        _ = Local.self
        let audit = InjectionAudit.run(makeContainer())
        #if DEBUG
            #expect(audit.properties.contains { $0.path == "DependencyInjectionTestingTests.PrivateHere.router" })
            #expect(
                audit.properties.contains { $0.path == "DependencyInjectionTestingTests.`Raw names`.Part.`my router`" })
            #expect(audit.properties.contains { $0.name == "router" && $0.owner.hasSuffix("Local") })
        #endif
        #expect(audit.properties.contains { $0.path == "InjectionFixtures.Controller.router" })
        #expect(audit.modules.isSuperset(of: ["InjectionFixtures", "DependencyInjectionTestingTests", "Swift"]))
        let own = InjectionAudit.run(makeContainer(), modules: ["DependencyInjectionTestingTests"])
        #expect(Set(own.properties.map(\.module)) == ["DependencyInjectionTestingTests"])
    }

    @Test("A child includes its parent's registrations")
    func child() {
        let parent = makeContainer()
        let child = parent.makeChild { Shared(UnknownImpl() as any Unknown) }
        let lacks = { (container: DIContainer) in
            InjectionAudit.run(container, modules: fixtureModule) { $0.dependency == (any Unknown).self }.missing.count
        }
        #expect(lacks(child) == 0)
        #expect(lacks(parent) > 0)
        #expect(InjectionAudit.run(child, modules: fixtureModule).byNameOnly.count == 3)
    }

    @Test("Rule 22: a type provided by a child counts as registered, even behind a provider")
    func providedByChild() {
        let status = { (container: DIContainer, path: String) in
            InjectionAudit.run(container, modules: fixtureModule) { $0.path == "InjectionFixtures.\(path)" }.properties
                .map(\.status)
        }
        let plain = DIContainer { ProvidedByChild((any Unknown).self) }
        let named = DIContainer { ProvidedByChild((any Unknown).self, name: "main") }
        for path in ["Compounds.unknownProvider", "Nested.makeUnknownMaker"] {
            #expect(status(DIContainer(), path) == [.missing], "\(path)")
            #expect(status(plain, path) == [.registered] && status(plain.makeChild(), path) == [.registered], "\(path)")
            #expect(status(named, path) == [.byNameOnly], "\(path)")
        }
    }

    @Test("A type registered and decorated under a name counts as registered by name only")
    func decoratedUnderName() {
        let decorator = Decorate((any API).self, name: "main") { api, _ in api }
        let register = { Shared(AuditedAPI() as any API, name: "main") }
        let status = { (container: DIContainer) in
            InjectionAudit.run(container, modules: fixtureModule) { $0.path == "InjectionFixtures.Screen.api" }
                .properties
                .map(\.status)
        }
        #expect(status(DIContainer { register() }) == [.byNameOnly])
        let container = DIContainer {
            register()
            decorator
        }
        #expect(status(container) == [.byNameOnly])
        #expect(status(container.makeChild {}) == [.byNameOnly])
        #expect(status(DIContainer { register() }.makeChild { decorator }) == [.byNameOnly])
        #expect(status(DIContainer { decorator }) == [.missing])
        #expect(status(DIContainer { decorator }.makeChild { register() }) == [.byNameOnly])
    }

    @Test("A compound of a type that is only registered by name counts like the type")
    func partsUnderName() {
        let named = DIContainer { Shared(UnknownImpl() as any Unknown, name: "main") }
        let audit = InjectionAudit.run(named, modules: fixtureModule) { $0.owner == "Nested" }
        #expect(audit.properties.map(\.status) == [.missing, .byNameOnly])
    }

    @Test("Several threads may run it concurrently")
    func threads() async {
        let container = makeContainer()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { InjectionAudit.run(container, modules: fixtureModule).missing.map(\.path) }
            }
            var results: Set<[String]> = []
            for await result in group { results.insert(result) }
            #expect(results.count == 1)
        }
    }
}

// MARK: Fixtures

private struct PrivateHere {
    @Inject var router: any Router
    static let type: Any.Type = PrivateHere.self
}

extension `Raw names` {
    struct Part { @Inject var `my router`: any Router }
}

private struct UnknownImpl: Unknown {}

/// The expected properties in the public types of the fixtures.
private let ofPublicTypes = """
    InjectionFixtures.Controller.router: @Inject any Router (registered)
    InjectionFixtures.Controller.unknown: @LazyInject any Unknown (not registered)
    InjectionFixtures.Nested.makeMaker: @Inject Provider<Provider<Router>> (registered)
    InjectionFixtures.Nested.makeUnknownMaker: @Inject Provider<Provider<Unknown>> (not registered)
    InjectionFixtures.`Raw names`._router2: @Inject any Router (registered)
    InjectionFixtures.`Raw names`.class: @Inject any Router (registered)
    InjectionFixtures.`Raw names`.`3`: @Inject any Router (registered)
    InjectionFixtures.`Raw names`.`_my session`: @LazyInject any Session (registered)
    InjectionFixtures.`Raw names`.`my router`: @Inject any Router (registered)
    InjectionFixtures.Screen.api: @MutableInject any API (registered by name only)
    InjectionFixtures.Screen.detail: @MutableLazyInject Detail (argument mismatch)
    InjectionFixtures.Screen.router: @Inject any Router (registered)
    InjectionFixtures.Screen.session: @LazyInject any Session (registered)
    InjectionFixtures.Window.router: @LazyInject any Router (registered)
    InjectionFixtures.Worker.unknown: @Inject any Unknown (not registered)
    """.split(separator: "\n").map(String.init)

/// The expected properties in types that aren't public. The optimizer may remove some of them.
private let ofOtherTypes = """
    InjectionFixtures.Base.router: @Inject any Router (registered)
    InjectionFixtures.Compounds.all: @LazyInject All<Plugin> (registered)
    InjectionFixtures.Compounds.closure: @LazyInject @Sendable (Int) -> String (registered)
    InjectionFixtures.Compounds.composition: @Inject any Router & Session (not registered)
    InjectionFixtures.Compounds.generic: @MutableInject Cache<Detail> (registered)
    InjectionFixtures.Compounds.metatype: @Inject any Plugin.Type (not registered)
    InjectionFixtures.Compounds.optional: @Inject Optional<Unknown> (registered)
    InjectionFixtures.Compounds.optionalProvider: @Inject Optional<Provider<Unknown>> (registered)
    InjectionFixtures.Compounds.optionalRouter: @LazyInject Optional<Router> (registered)
    InjectionFixtures.Compounds.provider: @Inject Provider<Router, Int, String> (argument mismatch)
    InjectionFixtures.Compounds.providerOfOptional: @Inject Provider<Optional<Unknown>, Int> (registered)
    InjectionFixtures.Compounds.tuple: @Inject (Int, String) (registered)
    InjectionFixtures.Compounds.unknownGeneric: @MutableInject Cache<Array<Detail>> (not registered)
    InjectionFixtures.Compounds.unknownProvider: @Inject Provider<Unknown, Int> (not registered)
    InjectionFixtures.Derived.unknown: @Inject any Unknown (not registered)
    InjectionFixtures.Generic.Inner.unknown: @Inject of an unknown type (unknown)
    InjectionFixtures.Generic.element: @LazyInject of an unknown type (unknown)
    InjectionFixtures.Generic.router: @Inject of an unknown type (unknown)
    InjectionFixtures.GenericPack.all: @LazyInject of an unknown type (unknown)
    InjectionFixtures.Local.unknown: @Inject any Unknown (not registered)
    InjectionFixtures.Names.nowhere: @Inject UInt8 (not registered)
    InjectionFixtures.Names.provider: @Inject Provider<Int> (registered by name only)
    InjectionFixtures.Names.staging: @Inject Int (registered by name only)
    InjectionFixtures.Namespace.Inner.Innermost.unknown: @LazyInject any Unknown (not registered)
    InjectionFixtures.Namespace.Inner.router: @Inject any Router (registered)
    InjectionFixtures.Namespace.PrivateActor.session: @LazyInject any Session (registered)
    InjectionFixtures.PrivateClass.hidden: @MutableInject any Hidden (not registered)
    InjectionFixtures.PrivateOwner.router: @Inject any Router (registered)
    InjectionFixtures.PrivateOwner.unknown: @MutableLazyInject any Unknown (not registered)
    InjectionFixtures.Screen.Part.router: @Inject any Router (registered)
    InjectionFixtures.String.Part.router: @Inject any Router (registered)
    """.split(separator: "\n").map(String.init)
