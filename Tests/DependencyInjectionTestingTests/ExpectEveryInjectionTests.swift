import DependencyInjection
import DependencyInjectionTesting
import InjectionFixtures
import Testing

@Suite("Expecting that every injection is registered", .collectsExpectedIssues)
struct ExpectEveryInjectionTests {
    @Test("It passes if each dependency is registered, allowed or excluded")
    func passes() {
        let owners: Set = ["Screen", "Controller", "Window", "Names", "Generic"]
        let audit = expectEveryInjectionIsRegistered(
            in: makeContainer(), modules: fixtureModule,
            allowing: [
                "InjectionFixtures.Controller.unknown", "InjectionFixtures.Names.nowhere",
                "InjectionFixtures.Screen.detail",
            ],
            where: { owners.contains($0.owner) })
        #expect(audit.properties.count == 12)
    }

    @Test("It records an issue at its call for each missing registration")
    func fails() {
        let issues = Issues()
        let line = #line + 3
        let container = makeContainer()
        issues.collect {
            expectEveryInjectionIsRegistered(in: container, modules: fixtureModule) { $0.owner == "Compounds" }
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
                Nothing is registered for any Plugin.Type, which `@Inject var metatype` of \
                InjectionFixtures.Compounds needs.
                  fix: register any Plugin.Type
                   or: allow it: `allowing: ["InjectionFixtures.Compounds.metatype"]`
                """,
                """
                Nothing is registered for Cache<Array<Detail>>, which `@MutableInject var unknownGeneric` of \
                InjectionFixtures.Compounds needs.
                  fix: register Cache<Array<Detail>>
                   or: allow it: `allowing: ["InjectionFixtures.Compounds.unknownGeneric"]`
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
        #expect(issues.lines == [line, line, line, line, line])
    }

    @Test(
        "It fails for a module without injected properties, instead of checking nothing",
        arguments: ["DependencyInjectionTesting", "EnumFixtures", "ProtocolFixtures"])
    func noInjections(_ module: String) {
        let issues = Issues()
        issues.collect {
            let audit = expectEveryInjectionIsRegistered(in: makeContainer(), modules: [module])
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
        let issues = Issues()
        issues.collect {
            let owners: Set = ["Controller", "Worker", "PrivateOwner", "Nested"]
            expectEveryInjectionIsRegistered(
                in: makeContainer(), modules: fixtureModule, allowing: ["InjectionFixtures.PrivateOwner.unknown"]
            ) { owners.contains($0.owner) }
        }
        let texts = issues.texts.filter { $0.hasPrefix("Nothing is registered for any Unknown") }
        #expect(
            texts.first == """
                Nothing is registered for any Unknown, which 3 properties need:
                    InjectionFixtures.Controller.unknown
                    InjectionFixtures.Nested.makeUnknownMaker
                    InjectionFixtures.Worker.unknown
                  fix: register any Unknown
                   or: allow it: `allowing: ["InjectionFixtures.Controller.unknown", \
                "InjectionFixtures.Nested.makeUnknownMaker", "InjectionFixtures.Worker.unknown"]`
                """)
        #expect(texts.count == 1)
    }

    @Test("It fails for a module without metadata, instead of passing")
    func noMetadata() {
        let issues = Issues()
        issues.collect {
            expectEveryInjectionIsRegistered(in: makeContainer(), modules: ["Mistyped"])
        }
        #expect(issues.texts.count == 1)
        #expect(issues.texts.first?.hasPrefix("The module Mistyped has no metadata.") == true)
        #expect(
            issues.texts.first?.contains(
                "\n  fix: correct the name of the module, link it into the tests, or remove it from `modules:` if it is empty\n"
            )
                == true)
    }

    @Test("It fails for an unnecessary exception")
    func staleException() {
        let issues = Issues()
        issues.collect {
            expectEveryInjectionIsRegistered(
                in: makeContainer(), modules: fixtureModule, allowing: ["InjectionFixtures.Screen.router"],
                where: { $0.owner == "Screen" && $0.name == "router" })
        }
        #expect(
            issues.texts == [
                "The exception InjectionFixtures.Screen.router is not needed, because no such property lacks its type."
                    + "\n  fix: remove it from `allowing:`"
            ])
    }
}
