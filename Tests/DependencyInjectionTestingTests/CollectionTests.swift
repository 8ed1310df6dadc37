import DependencyInjection
import DependencyInjectionTesting
import Testing

protocol Widget: Sendable { var title: String { get } }
private struct Gauge: Widget { var title = "gauge" }

// Not private, because release builds drop unused private types.
struct Dashboard {
    @Inject var widgets: [any Widget]
    @LazyInject var later: [any Widget]?
    @LazyInject var all: All<any Widget>
    @Inject var makeWidgets: Provider<[any Widget]>
}

private let registeredAt: UInt = #line + 2
private let production = DIContainer {
    Shared(Gauge()).into((any Widget).self)
    Shared(Gauge(title: "chart") as any Widget).into((any Widget).self)
    Shared(Gauge(title: "second") as any Widget).into((any Widget).self)
}

private func titles() -> [String] { DIContainer.resolve([any Widget].self).map(\.title) }

@Suite("Rule 23: collections in tests", .collectsExpectedIssues)
struct CollectionTests {
    @Test(
        "A test overrides a contributed type, and adds a contribution",
        .dependencies(from: production) {
            Shared(Gauge(title: "fake"))
            Shared(Gauge(title: "added") as any Widget).into((any Widget).self)
        })
    func overridden() {
        #expect(titles() == ["fake", "chart", "second", "added"])
    }

    @Test("A test overrides the collection", .dependencies(from: production) { Shared([Gauge()] as [any Widget]) })
    func overriddenArray() {
        #expect(titles() == ["gauge"])
    }

    @Test("Without the traits, withDependencies and withOverrides do the same")
    func withoutTrait() {
        withDependencies(.container(production)) {
            Shared(Gauge(title: "fake"))
        } in: {
            #expect(titles() == ["fake", "chart", "second"])
            DIContainer.current.unregister((any Widget).self)
            #expect(titles() == ["fake"])
        }
        DIContainer.withContainer(production) {
            DIContainer.withOverrides {
                Shared(Gauge(title: "fake")).into((any Widget).self)
            } operation: {
                #expect(titles() == ["chart", "second", "fake"])
            }
        }
    }

    @Test(
        "A strict test records each contribution that it doesn't override",
        .dependencies(.strict(from: production)) { Shared(Gauge(title: "fake")) })
    func strict() {
        let texts = issues { for _ in 0..<2 { #expect(titles() == ["fake", "chart", "second"]) } }.texts
        #expect(
            texts.map { $0.split(separator: "\n")[1] } == [
                "  registered at \(#fileID):\(registeredAt + 1)", "  registered at \(#fileID):\(registeredAt + 2)",
            ])
        let beginning = "The test does not override any Widget, so the request resolved the real registration."
        #expect(texts.allSatisfy { $0.hasPrefix(beginning) })
        let fix = "fix: override the collection with a registration of `[any Widget]`\n"
        #expect(texts.allSatisfy { $0.contains(fix) })
    }

    @Test(
        "A strict test may override the collection",
        .dependencies(.strict(from: production)) { Shared([Gauge()] as [any Widget]) })
    func strictArray() {
        #expect(titles() == ["gauge"])
    }

    @Test("A strict test may test a collection", .dependencies(.strict(from: production, testing: (any Widget).self)))
    func tested() {
        #expect(titles().count == 3)
    }

    private func audit(_ container: DIContainer) -> InjectionAudit {
        InjectionAudit.run(container, modules: ["DependencyInjectionTestingTests"]) { $0.owner == "Dashboard" }
    }

    @Test("The audit accepts an injected array with contributions, or one that is registered itself")
    func audit() {
        #expect(audit(production).missing.isEmpty)
        #expect(audit(production.makeChild()).missing.isEmpty)
        #expect(audit(DIContainer { Shared([] as [any Widget]) }).missing.isEmpty)
        let named = audit(DIContainer { Shared(Gauge(), name: "x").into((any Widget).self) })
        #expect(named.missing.isEmpty && named.byNameOnly.isEmpty)
    }

    @Test("The audit finds an injected array without contributions")
    func auditWithoutContributions() {
        let element = DIContainer { Shared(Gauge() as any Widget) }
        #expect(Set(audit(element).missing.map(\.name)) == ["widgets", "makeWidgets"])
        let found = Issues()
        found.collect {
            expectEveryInjectionIsRegistered(in: DIContainer(), modules: ["DependencyInjectionTestingTests"]) {
                $0.owner == "Dashboard" && $0.name == "widgets"
            }
        }
        let fix = "fix: contribute its elements with `.into((any Widget).self)`\n"
        #expect(found.texts.first?.contains(fix) == true)
    }
}
