import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

private final class Visit: Sendable {}
private final class Handler: Sendable { init(_ visit: Visit) {} }
private protocol Handling: Sendable {}
extension Handler: Handling {}
private final class Router: Sendable { init(_ handler: any Handling) {} }
private final class Application<Need>: Sendable { init(_ need: Need) {} }

@Suite("Captive dependencies")
struct CaptiveTests {
    @Test("is reported behind a New, with the path, at the place of the Shared")
    func behindNew() throws {
        let line: UInt = #line + 2
        let container = DIContainer {
            Shared(autowiring: Application<Handler>.init)
            New(autowiring: Handler.init)
            Scoped(Visit())
        }
        let finding = try only(container)
        #expect(finding.kind == .captiveDependency && finding.line == line && finding.key == "Visit")
        #expect(finding.path.map(\.key) == ["Application<Handler>", "Handler"])
        #expect(
            finding.description == """
                Application<Handler> needs Visit, which is scoped. Application<Handler> caches the first instance permanently.
                  registered at \(#fileID):\(line)
                  path:
                    Application<Handler>  (registered at \(#fileID):\(line))
                    Handler  (registered at \(#fileID):\(line + 1))
                    → Visit
                  fix: register Application<Handler> with `Scoped` or `New`, so that the child builds it
                """)
    }

    @Test("is reported through several lifetimes, an alias, decorator, Graph and Optional")
    func furtherAway() throws {
        let container = DIContainer {
            New(autowiring: { (_: Application<Router?>) in 1 })
            Weak(autowiring: Application<Router?>.init)
            Graph(autowiring: Router.init)
            New(autowiring: Handler.init, as: (any Handling).self)
            Decorate((any Handling).self) { base, _ in base }
            Scoped(Visit())
        }
        for container in [container, container.makeChild()] {
            let finding = try only(container)
            #expect(finding.kind == .captiveDependency && finding.key == "Visit")
            #expect(finding.path.map(\.key) == ["Int", "Application<Optional<Router>>", "Router", "Handler"])
        }
    }

    @Test("is reported once for each pair of Shared and Scoped")
    func several() {
        let container = DIContainer {
            Scoped(Visit())
            Scoped(Ticket(number: 1))
            New(autowiring: { (_: Visit, _: Ticket, _: Visit) in Wheel() })
            New(autowiring: { (_: Wheel) in Vehicle() })
            Shared(autowiring: { (_: Vehicle, _: Wheel) in 1 })
            Shared(autowiring: { (_: Wheel) in 1.5 })
        }
        let found = findings(container)
        #expect(found.map(\.key) == ["Visit", "Ticket", "Visit", "Ticket"])
        #expect(found.map { $0.path.first?.key } == ["Int", "Int", "Double", "Double"])
    }

    @Test("is not reported behind a provider, another Scoped, or a Shared")
    func noCaptive() throws {
        let container = DIContainer {
            Scoped(Visit())
            New(autowiring: Handler.init)
            Shared(autowiring: Application<Provider<Handler>>.init)
            New(autowiring: { (_: Provider<Visit>) in Wheel() })
            Shared(autowiring: Application<Wheel>.init)
            Scoped(autowiring: { (_: Handler) in Vehicle() })
        }
        #expect(findings(container).isEmpty)
        container.register {
            Shared(autowiring: Application<Application<Handler>>.init)
            Shared(autowiring: Application<Handler>.init)
        }
        #expect(try only(container).path.first?.key == "Application<Application<Handler>>")
        #expect(try only(container).path.count == 3)
    }

    @Test("is reported behind a New that depends on itself")
    func circle() {
        let container = DIContainer {
            Scoped(Visit())
            New(autowiring: { (_: Vehicle, _: Visit) in Wheel() })
            New(autowiring: { (_: Wheel) in Vehicle() })
            Shared(autowiring: Application<Wheel>.init)
        }
        #expect(findings(container).map(\.kind) == [.captiveDependency, .error(.cycle)].reversed())
    }

    @Test("is not reported for the dependencies of a captive dependency")
    func behindScoped() throws {
        let container = DIContainer {
            Scoped(Visit())
            Scoped(autowiring: Handler.init)
            Shared(autowiring: Application<Handler>.init)
        }
        #expect(try only(container).key == "Handler")
    }
}
