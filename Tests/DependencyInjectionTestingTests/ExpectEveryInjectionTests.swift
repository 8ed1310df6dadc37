import DependencyInjection
import DependencyInjectionTesting
import InjectionFixtures
import Testing

@Suite("Expecting that every injection is registered", .keepsExpectedIssues)
struct ExpectEveryInjectionTests {
    @Test("It passes if all is registered, or allowed, or left out")
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

    @Test("It records an issue for each missing one, where it is called")
    func fails() {
        let issues = Issues()
        let line = #line + 3
        let container = makeContainer()
        issues.keep {
            expectEveryInjectionIsRegistered(in: container, modules: fixtureModule) { $0.owner == "Compounds" }
        }
        #expect(
            issues.texts == [
                """
                Nothing is registered for any Router & Session, which `@Inject var composition` of \
                InjectionFixtures.Compounds needs.
                  fix: register it, as in `DIContainer.register { Shared(… as any Router & Session) }`, or allow \
                "InjectionFixtures.Compounds.composition" with `allowing:`.
                """,
                """
                Nothing is registered for any Plugin.Type, which `@Inject var metatype` of \
                InjectionFixtures.Compounds needs.
                  fix: register it, as in `DIContainer.register { Shared(… as any Plugin.Type) }`, or allow \
                "InjectionFixtures.Compounds.metatype" with `allowing:`.
                """,
                """
                Nothing is registered for Cache<Array<Detail>>, which `@MutableInject var unknownGeneric` of \
                InjectionFixtures.Compounds needs.
                  fix: register it, as in `DIContainer.register { Shared(… as Cache<Array<Detail>>) }`, or allow \
                "InjectionFixtures.Compounds.unknownGeneric" with `allowing:`.
                """,
                """
                Nothing is registered for any Unknown, which `@Inject var unknownProvider` of \
                InjectionFixtures.Compounds needs.
                  fix: register it, as in `DIContainer.register { New { (_, _: Int) in … as any Unknown } }`, or allow \
                "InjectionFixtures.Compounds.unknownProvider" with `allowing:`.
                """,
                """
                The factory of any Router takes (), and `@Inject var provider` of InjectionFixtures.Compounds supplies \
                (Int, String).
                  fix: take a `Provider` with the arguments of that factory, or allow \
                "InjectionFixtures.Compounds.provider" with `allowing:`.
                """,
            ])
        #expect(issues.lines == [line, line, line, line, line])
    }

    @Test(
        "It passes for modules that have no injected properties: those of any types, of enums only, of protocols only",
        arguments: ["DependencyInjectionTesting", "EnumFixtures", "ProtocolFixtures"])
    func noInjections(_ module: String) {
        let audit = expectEveryInjectionIsRegistered(in: makeContainer(), modules: [module])
        #expect(audit.properties.isEmpty)
        #expect(audit.modules.contains(module))
    }

    @Test("It fails for a module without metadata, instead of passing")
    func noMetadata() {
        let issues = Issues()
        issues.keep {
            expectEveryInjectionIsRegistered(in: makeContainer(), modules: ["Mistyped"])
        }
        #expect(issues.texts.count == 1)
        #expect(issues.texts.first?.hasPrefix("The module Mistyped has no metadata.") == true)
        #expect(issues.texts.first?.contains("\n  fix: correct its name, link it into the tests, or ") == true)
    }

    @Test("It fails for an exception that is not needed")
    func staleException() {
        let issues = Issues()
        issues.keep {
            expectEveryInjectionIsRegistered(
                in: makeContainer(), modules: fixtureModule, allowing: ["InjectionFixtures.Screen.router"],
                where: { $0.owner == "Screen" && $0.name == "router" })
        }
        #expect(
            issues.texts == [
                "The exception InjectionFixtures.Screen.router is not needed: such a property has what it needs, or is none."
                    + "\n  fix: remove it from `allowing:`."
            ])
    }
}
