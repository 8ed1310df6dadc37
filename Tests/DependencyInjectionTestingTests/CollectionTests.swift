import DependencyInjection
import DependencyInjectionTesting
import Testing

// Not private, because release builds drop unused private types.
struct Dashboard {
    @Inject var clocks: [any Named]
    @LazyInject var later: [any Named]?
    @LazyInject var all: All<any Named>
    @Inject var makeClocks: Provider<[any Named]>
}

private let registeredAt: UInt = #line + 2
private let production = DIContainer {
    Shared(Clock(name: "first")).into((any Named).self)
    Shared(Clock(name: "chart") as any Named).into((any Named).self)
    Shared(Clock(name: "second") as any Named).into((any Named).self)
}

private var names: [String] { DIContainer.resolve([any Named].self).map(\.name) }

@Suite("Rule 23: collections in tests", .collectsExpectedIssues)
struct CollectionTests {
    @Test(
        "A test overrides a contributed type, and adds a contribution",
        .dependencies(from: production) {
            Shared(Clock(name: "fake"))
            Shared(Clock(name: "added") as any Named).into((any Named).self)
        })
    func overridden() {
        #expect(names == ["fake", "chart", "second", "added"])
    }

    @Test(
        "A test overrides the collection",
        .dependencies(from: production) { Shared([Clock(name: "first")] as [any Named]) })
    func overriddenArray() {
        #expect(names == ["first"])
    }

    @Test("Without the traits, withDependencies and withOverrides do the same")
    func withoutTrait() {
        withDependencies(.container(production)) {
            Shared(Clock(name: "fake"))
        } in: {
            #expect(names == ["fake", "chart", "second"])
            DIContainer.current.unregister((any Named).self)
            #expect(names == ["fake"])
        }
        DIContainer.withContainer(production) {
            DIContainer.withOverrides {
                Shared(Clock(name: "fake")).into((any Named).self)
            } operation: {
                #expect(names == ["chart", "second", "fake"])
            }
        }
    }

    @Test(
        "A strict test records each contribution that it doesn't override",
        .dependencies(.strict(from: production)) { Shared(Clock(name: "fake")) })
    func strict() {
        let texts = Issues { for _ in 0..<2 { #expect(names == ["fake", "chart", "second"]) } }.texts
        #expect(
            texts.map { $0.split(separator: "\n")[1] } == [
                "  registered at \(#fileID):\(registeredAt + 1)", "  registered at \(#fileID):\(registeredAt + 2)",
            ])
        let beginning = "The test does not override any Named, so the request resolved the real registration."
        #expect(texts.allSatisfy { $0.hasPrefix(beginning) })
        let fix = "fix: override the collection with a registration of `[any Named]`\n"
        #expect(texts.allSatisfy { $0.contains(fix) })
    }

    @Test(
        "A strict test may override the collection",
        .dependencies(.strict(from: production)) { Shared([Clock(name: "first")] as [any Named]) })
    func strictArray() {
        #expect(names == ["first"])
    }

    @Test("A strict test may test a collection", .dependencies(.strict(from: production, testing: (any Named).self)))
    func tested() {
        #expect(names.count == 3)
    }

    private func audit(_ container: DIContainer) -> InjectionAudit {
        InjectionAudit.run(container, modules: ["DependencyInjectionTestingTests"]) { $0.owner == "Dashboard" }
    }

    @Test("The audit accepts an injected array with contributions, or one that is registered itself")
    func audit() {
        #expect(audit(production).missing.isEmpty)
        #expect(audit(production.makeChild()).missing.isEmpty)
        #expect(audit(DIContainer { Shared([] as [any Named]) }).missing.isEmpty)
        let named = audit(DIContainer { Shared(Clock(name: "first"), name: "x").into((any Named).self) })
        #expect(named.missing.isEmpty && named.byNameOnly.isEmpty)
    }

    @Test("The audit finds an injected array without contributions")
    func auditWithoutContributions() {
        let element = DIContainer { Shared(Clock(name: "first") as any Named) }
        #expect(Set(audit(element).missing.map(\.name)) == ["clocks", "makeClocks"])
        let found = Issues {
            expectEveryInjectionIsRegistered(in: DIContainer(), modules: ["DependencyInjectionTestingTests"]) {
                $0.owner == "Dashboard" && $0.name == "clocks"
            }
        }
        let fix = "fix: register Array<any Named>\n"
        #expect(found.texts.first?.contains(fix) == true)
    }

    @Test("The audit names the arguments of the first contribution that takes some")
    func auditWithArguments() {
        let container = DIContainer {
            Shared(Clock(name: "first")).into((any Named).self)
            New({ (_, number: Int) in Clock(name: "\(number)") }, name: "number").into((any Named).self)
            New({ (_, name: String) in Clock(name: name) }, name: "name").into((any Named).self)
        }
        let found = Issues {
            expectEveryInjectionIsRegistered(in: container, modules: ["DependencyInjectionTestingTests"]) {
                $0.owner == "Dashboard" && $0.name == "clocks"
            }
        }
        #expect(found.texts.first?.contains("The factory of any Named takes (Int), but") == true, "\(found.texts)")
    }
}
