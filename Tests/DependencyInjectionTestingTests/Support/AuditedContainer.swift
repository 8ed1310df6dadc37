import DependencyInjection
import InjectionFixtures
import Synchronization

struct AuditedRouter: Router {}
struct AuditedSession: Session {}
struct AuditedAPI: API {}

/// The module that the audit searches.
let fixtureModule: Set = ["InjectionFixtures"]

/// Registers some dependencies of the fixtures. `builds` counts the built instances, and must stay zero.
func makeContainer(_ builds: BuildCounter = BuildCounter()) -> DIContainer {
    DIContainer {
        Shared(builds.counting(AuditedRouter()) as any Router)
        Shared(autowiring: AuditedSession.init, as: (any Session).self)
        Shared(AuditedAPI() as any API, name: "main")
        New { (_, _: String) in Detail() }
        Shared(1, name: "staging")
        New { _ -> @Sendable (Int) -> String in { "\($0)" } }
        New { _ in (1, "") }
        Shared(Cache<Detail>())
    }
}

final class BuildCounter: Sendable {
    private let builds = Atomic<Int>(0)
    var count: Int { builds.load(ordering: .relaxed) }
    func counting<T>(_ value: T) -> T {
        builds.wrappingAdd(1, ordering: .relaxed)
        return value
    }
}
