import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("Validation of asynchronous and main-actor dependencies")
struct ValidationIsolationTests {
    @MainActor private final class Window: Sendable { init(_ engine: Diesel) {} }

    @Test("reports an asynchronous dependency of New, and warns if it can be prepared")
    func asynchronous() async throws {
        let finding = try only(
            DIContainer {
                New(async: { _ in Ticket(number: 1) })
                New(autowiring: Spare.init)
            })
        #expect(finding.kind == .error(.asyncRequired) && finding.isError && finding.key == "Ticket")
        let container = DIContainer {
            Shared(async: { _ in Diesel() }, as: (any Engine).self)
            New(autowiring: Car.init)
        }
        let warning = try only(container)
        #expect(warning.kind == .unpreparedDependency && !warning.isError)
        #expect(warning.description.contains("fix: call `try await container.prepare()` before the first request"))
        try await container.prepare()
        #expect(findings(container).isEmpty)
    }

    @Test("warns of an asynchronous Scoped dependency, and advises to prepare each child")
    func asynchronousScoped() async throws {
        let container = DIContainer {
            Scoped(async: { _ in Diesel() }, as: (any Engine).self)
            New(autowiring: Car.init)
        }
        try await container.prepare()
        let warning = try only(container)
        #expect(warning.kind == .unpreparedDependency)
        #expect(
            warning.description.contains("fix: call `try await child.prepare()` in each child before the first request")
        )
        let child = container.makeChild()
        try await child.prepare()
        #expect(findings(child).isEmpty)
    }

    @Test("reports main-actor dependencies of a factory that may run off the main actor")
    func mainActor() async throws {
        let container = DIContainer {
            Shared(mainActor: Diesel(), as: (any Engine).self)
            New(autowiring: Car.init)
        }
        let finding = try only(container)
        await MainActor.run { _ = container.resolve(Diesel.self) }
        #expect(container.registrations[0].isBuilt)
        #expect(try only(container).kind == .error(.mainActorRequired))
        #expect(finding.kind == .error(.mainActorRequired) && finding.isError && finding.key == "any Engine")
        let good = DIContainer {
            New(mainActor: { _, number in Ticket(number: number) })
            New(autowiring: Desk.init)
        }
        #expect(findings(good).isEmpty)
    }

    @Test("reports a dependency decorated on the main actor, unless its user runs there")
    func mainActorDependencies() {
        let good = DIContainer {
            Shared(mainActor: Diesel())
            Shared(autowiring: Window.init)
        }
        #expect(findings(good).isEmpty)
        let parent = DIContainer {
            Shared(Diesel())
            Decorate(Diesel.self, mainActor: { base, _ in base })
        }
        let child = parent.makeChild {
            New(autowiring: { (_: Diesel) in Wheel() })
        }
        #expect(findings(child).map(\.kind) == [.error(.mainActorRequired)])
    }
}
