import DependencyInjection
import DependencyInjectionTesting
import Testing

protocol Widget: Sendable { var title: String { get } }
private struct Gauge: Widget { var title = "clock" }
private struct Chart: Widget { var title = "chart" }

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
    Shared(Chart() as any Widget).into((any Widget).self)
    Shared(Chart(title: "second") as any Widget).into((any Widget).self)
}

private func titles() -> [String] { DIContainer.resolve([any Widget].self).map(\.title) }

@Suite("Rule 23: collections in tests", .collectsExpectedIssues)
struct CollectionTests {
    @Test(
        "A test overrides a contributed type, and adds a contribution",
        .dependencies(from: production) {
            Shared(Gauge(title: "fake"))
            Shared(Chart(title: "added") as any Widget).into((any Widget).self)
        })
    func overridden() {
        #expect(titles() == ["fake", "chart", "second", "added"])
    }

    @Test("A test overrides the collection", .dependencies(from: production) { Shared([Gauge()] as [any Widget]) })
    func overriddenArray() {
        #expect(titles() == ["clock"])
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

    @Test("A strict test records each contribution that it doesn't override")
    func strict() {
        let found = withDependencies(.strict(from: production)) {
            Shared(Gauge(title: "fake"))
        } in: {
            issues { for _ in 0..<2 { #expect(titles() == ["fake", "chart", "second"]) } }
        }
        #expect(
            found.texts.map { $0.split(separator: "\n")[1] } == [
                "  registered at \(#fileID):\(registeredAt + 1)", "  registered at \(#fileID):\(registeredAt + 2)",
            ])
        #expect(
            found.texts.allSatisfy {
                $0.hasPrefix("The test does not override any Widget, so the request resolved the real registration.")
                    && $0.contains(
                        "fix: override the collection with a registration of `[any Widget]`\n")
            })
        let unfaked = withDependencies(.strict(from: production)) {
            Shared([Gauge()] as [any Widget])
        } in: {
            issues { #expect(titles() == ["clock"]) }
        }
        #expect(unfaked.texts.isEmpty)
    }

    @Test("A strict test may test a collection")
    func tested() {
        let found = withDependencies(.strict(from: production, testing: (any Widget).self)) {
        } in: {
            issues { #expect(titles().count == 3) }
        }
        #expect(found.texts.isEmpty)
    }

    @Test("The audit finds an injected array without contributions")
    func audit() throws {
        func audit(_ container: DIContainer) -> InjectionAudit {
            InjectionAudit.run(container, modules: ["DependencyInjectionTestingTests"]) { $0.owner == "Dashboard" }
        }
        #expect(audit(production).missing.isEmpty)
        #expect(audit(production.makeChild()).missing.isEmpty)
        #expect(audit(DIContainer { Shared([] as [any Widget]) }).missing.isEmpty)
        for (row, container) in [
            "DIContainer()": DIContainer(),
            "DIContainer { Shared(Gauge() as any Widget) }": DIContainer { Shared(Gauge() as any Widget) },
        ] as KeyValuePairs {
            #expect(Set(audit(container).missing.map(\.name)) == ["widgets", "makeWidgets"], "\(row)")
        }
        let named = DIContainer { Shared(Gauge(), name: "x").into((any Widget).self) }
        #expect(audit(named).missing.isEmpty && audit(named).byNameOnly.isEmpty)
        let found = Issues()
        found.collect {
            expectEveryInjectionIsRegistered(in: DIContainer(), modules: ["DependencyInjectionTestingTests"]) {
                $0.owner == "Dashboard" && $0.name == "widgets"
            }
        }
        #expect(
            found.texts.first?.contains(
                "fix: contribute its elements with `.into((any Widget).self)`\n") == true)
    }
}
