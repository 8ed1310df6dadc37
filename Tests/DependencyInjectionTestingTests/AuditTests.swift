import DependencyInjection
import DependencyInjectionTesting
import InjectionFixtures
import Testing

@Suite("The injection audit")
struct InjectionAuditTests {
    @Test("It finds the injected properties of all types and their missing dependencies")
    func everything() {
        let audit = InjectionAudit.run(fixtureContainer, modules: fixtureModule)
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
        let session = audit.properties.first { $0.path == "InjectionFixtures.Screen.session" }
        #expect(session?.wrapper == "LazyInject")
        #expect(session?.dependency == (any Session).self)
    }

    @Test("It neither builds nor changes anything")
    func buildsNothing() throws {
        let builds = Locked(0)
        let container = fixtureContainer.fork {
            Shared { _ -> any Router in
                builds.withLock { $0 += 1 }
                return Implementation()
            }
        }
        container.seal()
        for _ in 0..<3 { _ = InjectionAudit.run(container) }
        #expect(builds.current == 0)
        _ = try container.resolve.orThrow((any Router).self)
        #expect(builds.current == 1)
    }

    @Test("It covers types of the tests, extensions of another module's types, and by default all modules")
    func modules() {
        let audit = InjectionAudit.run(fixtureContainer)
        #if DEBUG
            #expect(audit.properties.contains { $0.path == "DependencyInjectionTestingTests.Desk.first" })
            #expect(
                audit.properties.contains { $0.path == "DependencyInjectionTestingTests.`Raw names`.Part.`my router`" })
        #endif
        #expect(audit.properties.contains { $0.path == "InjectionFixtures.Controller.router" })
        #expect(audit.modules.isSuperset(of: ["InjectionFixtures", "DependencyInjectionTestingTests", "Swift"]))
        let own = InjectionAudit.run(fixtureContainer, modules: ["DependencyInjectionTestingTests"])
        #expect(Set(own.properties.map(\.module)) == ["DependencyInjectionTestingTests"])
    }

    @Test("A child includes its parent's registrations")
    func child() {
        let child = fixtureContainer.makeChild { Shared(Implementation() as any Unknown) }
        #expect(statuses("Controller.unknown", in: fixtureContainer) == [.missing])
        let audit = InjectionAudit.run(child, modules: fixtureModule)
        #expect(audit.missing.allSatisfy { $0.dependency != (any Unknown).self })
        #expect(audit.byNameOnly.count == 3)
    }

    /// The status of a property in the fixtures.
    private func statuses(_ path: String, in container: DIContainer) -> [InjectedProperty.Status] {
        InjectionAudit.run(container, modules: fixtureModule) { $0.path == "InjectionFixtures.\(path)" }.properties
            .map(\.status)
    }

    @Test("Rule 22: a type provided by a child counts as registered, even behind a provider")
    func providedByChild() {
        let path = "Compounds.unknownProvider"
        let plain = DIContainer { ProvidedByChild((any Unknown).self) }
        let named = DIContainer { ProvidedByChild((any Unknown).self, name: "main") }
        #expect(statuses(path, in: DIContainer()) == [.missing])
        #expect(statuses(path, in: plain) == [.registered])
        #expect(statuses(path, in: plain.makeChild()) == [.registered])
        #expect(statuses(path, in: named) == [.byNameOnly])
    }

    @Test("A type registered and decorated under a name counts as registered by name only")
    func decoratedUnderName() {
        let decorator = Decorate((any API).self, name: "main") { api, _ in api }
        let registration = Shared(Implementation() as any API, name: "main")
        let both = DIContainer {
            registration
            decorator
        }
        let containers: KeyValuePairs = [
            "registered": DIContainer { registration }, "decorated": both, "child of both": both.makeChild {},
            "decorated in a child": DIContainer { registration }.makeChild { decorator },
            "registered in a child": DIContainer { decorator }.makeChild { registration },
        ]
        for (row, container) in containers {
            #expect(statuses("Screen.api", in: container) == [.byNameOnly], "\(row)")
        }
        #expect(statuses("Screen.api", in: DIContainer { decorator }) == [.missing])
    }

    @Test("A property matches the arguments of a registration with any name")
    func argumentsUnderName() {
        #expect(statuses("Screen.detail", in: fixtureContainer) == [.argumentMismatch])
        let named = fixtureContainer.fork { New(InjectionFixtures.Detail(), name: "plain") }
        #expect(statuses("Screen.detail", in: named) == [.registered])
    }

    @Test("Several threads may run it concurrently")
    func threads() async {
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { InjectionAudit.run(fixtureContainer, modules: fixtureModule).missing.map(\.path) }
            }
            var results: Set<[String]> = []
            for await result in group { results.insert(result) }
            #expect(results.count == 1)
        }
    }
}

@Suite("Expecting that every injection is registered", .collectsExpectedIssues)
struct ExpectEveryInjectionTests {
    @Test("It passes if each dependency is registered, allowed or excluded")
    func passes() {
        let owners: Set = ["Screen", "Controller", "Names", "Generic"]
        let audit = expectEveryInjectionIsRegistered(
            in: fixtureContainer, modules: fixtureModule,
            allowing: [
                "InjectionFixtures.Controller.unknown", "InjectionFixtures.Names.nowhere",
                "InjectionFixtures.Screen.detail",
            ],
            where: { owners.contains($0.owner) })
        #expect(audit.properties.count == 10)
    }

    @Test("It records an issue at its call for each missing registration")
    func fails() {
        let names: Set = ["composition", "unknownProvider", "provider"]
        let line = #line + 2
        let issues = Issues {
            expectEveryInjectionIsRegistered(in: fixtureContainer, modules: fixtureModule) {
                $0.owner == "Compounds" && names.contains($0.name)
            }
        }
        #expect(
            issues.texts == [
                """
                Nothing is registered for any Router & Session, which `@Inject var composition` of \
                InjectionFixtures.Compounds needs.
                  fix: register any Router & Session
                   or: allow it: `allowing: ["InjectionFixtures.Compounds.composition"]`
                """,
                """
                Nothing is registered for any Unknown, which `@Inject var unknownProvider` of \
                InjectionFixtures.Compounds needs.
                  fix: register any Unknown with a factory that takes (Int)
                   or: allow it: `allowing: ["InjectionFixtures.Compounds.unknownProvider"]`
                """,
                """
                The factory of any Router takes (), but `@Inject var provider` of InjectionFixtures.Compounds \
                supplies (Int, String).
                  fix: change the type of the property to `Provider<any Router>`
                   or: allow it: `allowing: ["InjectionFixtures.Compounds.provider"]`
                """,
            ])
        #expect(issues.lines == [line, line, line])
    }

    @Test("Rule 18: A type that is registered as the audit advises is no longer missing")
    func followed() {
        let container = fixtureContainer.fork {
            Shared(Implementation() as any Router & Session)
            Shared(Implementation.self as any Session.Type)
            Shared(Cache<[InjectionFixtures.Detail]>())
            New { (_, _: Int) in Implementation() as any Unknown }
        }
        expectEveryInjectionIsRegistered(
            in: container, modules: fixtureModule, allowing: ["InjectionFixtures.Compounds.provider"]
        ) { $0.owner == "Compounds" && $0.name != "optional" }
    }

    @Test(
        "It fails for a module without injected properties, instead of checking nothing",
        arguments: ["DependencyInjectionTesting", "EnumFixtures", "ProtocolFixtures"])
    func noInjections(_ module: String) {
        let issues = Issues {
            let audit = expectEveryInjectionIsRegistered(in: fixtureContainer, modules: [module])
            #expect(audit.properties.isEmpty)
            #expect(audit.modules.contains(module))
        }
        #expect(
            issues.texts == [
                """
                The module \(module) has no injected property, so that the audit checks nothing in it.
                  fix: remove it from `modules:`, if its types receive their dependencies by initializers
                   or: name the module that declares the properties
                """
            ])
    }

    @Test("It passes if a module has injected properties, but none is included")
    func noneIncluded() {
        let audit = expectEveryInjectionIsRegistered(in: DIContainer(), modules: fixtureModule) { _ in false }
        #expect(audit.properties.isEmpty)
    }

    @Test("It records one issue for all properties with the same missing type")
    func groups() {
        let issues = Issues {
            let owners: Set = ["Controller", "Worker", "Namespace.Inner.Innermost", "PrivateOwner"]
            expectEveryInjectionIsRegistered(
                in: fixtureContainer, modules: fixtureModule, allowing: ["InjectionFixtures.PrivateOwner.unknown"]
            ) { owners.contains($0.owner) }
        }
        let texts = issues.texts.filter { $0.hasPrefix("Nothing is registered for any Unknown") }
        #expect(
            texts.first == """
                Nothing is registered for any Unknown, which 3 properties need:
                    InjectionFixtures.Controller.unknown
                    InjectionFixtures.Namespace.Inner.Innermost.unknown
                    InjectionFixtures.Worker.unknown
                  fix: register any Unknown
                   or: allow it: `allowing: ["InjectionFixtures.Controller.unknown", \
                "InjectionFixtures.Namespace.Inner.Innermost.unknown", "InjectionFixtures.Worker.unknown"]`
                """)
        #expect(texts.count == 1)
    }

    @Test("It fails for a module without metadata, instead of passing")
    func noMetadata() {
        let issues = Issues {
            expectEveryInjectionIsRegistered(in: fixtureContainer, modules: ["Mistyped"])
        }
        #expect(issues.texts.count == 1)
        #expect(issues.texts.first?.hasPrefix("The module Mistyped has no metadata.") == true)
        let fix = "correct the name of the module, link it into the tests, or remove it from `modules:` if it is empty"
        #expect(issues.texts.first?.contains("\n  fix: \(fix)\n") == true)
    }

    @Test("It fails for an unnecessary exception")
    func staleException() {
        let issues = Issues {
            expectEveryInjectionIsRegistered(
                in: fixtureContainer, modules: fixtureModule, allowing: ["InjectionFixtures.Screen.router"],
                where: { $0.owner == "Screen" && $0.name == "router" })
        }
        #expect(
            issues.texts == [
                "The exception InjectionFixtures.Screen.router is not needed, because no such property lacks its type."
                    + "\n  fix: remove it from `allowing:`"
            ])
    }
}

// MARK: Types with the same name

enum Inks { struct Pen: Sendable {} }
enum Quills { struct Pen: Sendable {} }
/// A type with the same name as one of the fixtures.
private struct Detail: Sendable {}

// Not private, because release builds drop unused private types.
struct Desk {
    @LazyInject var first: Inks.Pen
    @LazyInject var second: Quills.Pen
    @LazyInject var make: Provider<Inks.Pen, Quills.Pen>
    @LazyInject fileprivate var makeDetail: Provider<Detail, InjectionFixtures.Detail>
}

extension ExpectEveryInjectionTests {
    @Test("It distinguishes types with the same name in its list and in an issue")
    func sameNames() {
        let issues = Issues {
            let audit = expectEveryInjectionIsRegistered(
                in: DIContainer(), modules: ["DependencyInjectionTestingTests"]
            ) { $0.owner == "Desk" }
            let path = "DependencyInjectionTestingTests.Desk"
            #expect(audit.properties.first?.description == "\(path).first: @LazyInject Inks.Pen (not registered)")
            #expect(
                audit.description == """
                    \(path).first: @LazyInject Inks.Pen (not registered)
                    \(path).make: @LazyInject Provider<Inks.Pen, Quills.Pen> (not registered)
                    \(path).makeDetail: @LazyInject Provider<Detail, Detail> (not registered)
                    \(path).second: @LazyInject Quills.Pen (not registered)
                    """)
        }
        #expect(issues.texts.count == 4)
        let beginning = "Nothing is registered for Inks.Pen, which `@LazyInject var first`"
        #expect(issues.texts.first?.hasPrefix(beginning) == true)
        #expect(issues.texts.contains { $0.contains("register Inks.Pen with a factory that takes (Quills.Pen)") })
        #expect(issues.texts.contains { $0.contains(" with a factory that takes (InjectionFixtures.Detail)") })
    }
}

// MARK: Fixtures

extension `Raw names` {
    struct Part { @Inject var `my router`: any Router }
}

/// The expected properties in the public types of the fixtures.
private let ofPublicTypes = """
    InjectionFixtures.Controller.router: @Inject any Router (registered)
    InjectionFixtures.Controller.unknown: @LazyInject any Unknown (not registered)
    InjectionFixtures.Namespace.Inner.Innermost.unknown: @LazyInject any Unknown (not registered)
    InjectionFixtures.Namespace.Inner.router: @Inject any Router (registered)
    InjectionFixtures.`Raw names`._router2: @Inject any Router (registered)
    InjectionFixtures.`Raw names`.class: @Inject any Router (registered)
    InjectionFixtures.`Raw names`.`3`: @Inject any Router (registered)
    InjectionFixtures.`Raw names`.`_my session`: @LazyInject any Session (registered)
    InjectionFixtures.`Raw names`.`my router`: @Inject any Router (registered)
    InjectionFixtures.Screen.api: @MutableInject any API (registered by name only)
    InjectionFixtures.Screen.detail: @MutableLazyInject Detail (argument mismatch)
    InjectionFixtures.Screen.router: @Inject any Router (registered)
    InjectionFixtures.Screen.session: @LazyInject any Session (registered)
    InjectionFixtures.Worker.unknown: @Inject any Unknown (not registered)
    """.split(separator: "\n").map(String.init)

/// The expected properties in types that aren't public. The optimizer may remove some of them.
private let ofOtherTypes = """
    InjectionFixtures.Compounds.all: @LazyInject All<Session> (registered)
    InjectionFixtures.Compounds.closure: @LazyInject @Sendable (Int) -> String (registered)
    InjectionFixtures.Compounds.composition: @Inject any Router & Session (not registered)
    InjectionFixtures.Compounds.generic: @MutableInject Cache<Detail> (registered)
    InjectionFixtures.Compounds.metatype: @Inject any Session.Type (not registered)
    InjectionFixtures.Compounds.optional: @Inject Optional<Unknown> (registered)
    InjectionFixtures.Compounds.provider: @Inject Provider<Router, Int, String> (argument mismatch)
    InjectionFixtures.Compounds.tuple: @Inject (Int, String) (registered)
    InjectionFixtures.Compounds.unknownGeneric: @MutableInject Cache<Array<Detail>> (not registered)
    InjectionFixtures.Compounds.unknownProvider: @Inject Provider<Unknown, Int> (not registered)
    InjectionFixtures.Derived.unknown: @Inject any Unknown (not registered)
    InjectionFixtures.Generic.Inner.unknown: @Inject of an unknown type (unknown)
    InjectionFixtures.Generic.element: @LazyInject of an unknown type (unknown)
    InjectionFixtures.Local.unknown: @Inject any Unknown (not registered)
    InjectionFixtures.Names.nowhere: @Inject UInt8 (not registered)
    InjectionFixtures.Names.provider: @Inject Provider<Int> (registered by name only)
    InjectionFixtures.Names.staging: @Inject Int (registered by name only)
    InjectionFixtures.PrivateOwner.router: @Inject any Router (registered)
    InjectionFixtures.PrivateOwner.unknown: @MutableLazyInject any Unknown (not registered)
    InjectionFixtures.String.Part.router: @Inject any Router (registered)
    """.split(separator: "\n").map(String.init)
