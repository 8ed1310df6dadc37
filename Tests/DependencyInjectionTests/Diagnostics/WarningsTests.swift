import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

@Suite("Warnings of validation")
struct ValidationWarningTests {
    @Test("warns of a captive dependency, through an alias and also once it is built")
    func scoped() throws {
        let container = DIContainer {
            Scoped(Diesel(), as: (any Engine).self)
            Shared(autowiring: Car.init)
        }
        let finding = try only(container)
        #expect(finding.kind == .captiveDependency && !finding.isError)
        #expect(findings(DIContainer { Scoped(autowiring: Fleet.init) }).isEmpty)
        _ = try container.resolve.orThrow(Diesel.self)
        #expect(container.registrations[0].isBuilt)
        #expect(try only(container).kind == .captiveDependency)
    }

    @Test("warns of a replaced registration, unless it replaces itself")
    func replaced() throws {
        let line: UInt = #line + 1
        let container = DIContainer { Shared(Diesel()) }
        let again = Module { Decorate(Diesel.self) { base, _ in base } }
        container.register { again }
        container.register { New(Diesel()) }
        container.register { again }
        let finding = try only(container)
        #expect(finding.kind == .replaced && !finding.isError && finding.line == line + 3)
        #expect(finding.description.contains("replaces the registration at \(#fileID):\(line)."))
        for (row, fork) in [
            "container.fork()": container.fork(), "container.makeChild().fork()": container.makeChild().fork(),
            "container.makeChild { again }.fork()": container.makeChild { again }.fork(),
        ] as KeyValuePairs {
            #expect(try only(fork).kind == .replaced, "\(row)")
        }
        let module = Module { Shared(Diesel()) }
        let good = DIContainer { module }
        good.register { module }
        good.unregister(Diesel.self)
        good.register { Shared(Diesel()) }
        #expect(findings(good).isEmpty)
        good.unregister(Diesel.self)
        for name in ["A", "B"] { good.register { Module(name) { module } } }
        #expect(findings(good).isEmpty)
    }

    @Test("does not warn of an override in a fork, but of a replaced override")
    func overrides() async throws {
        let container = DIContainer { Shared(Diesel(), as: (any Engine).self) }
        let forks: KeyValuePairs = [
            "of a root": container.fork(), "of a child": container.makeChild().fork(),
            "of a fork": container.fork().fork(),
        ]
        for (row, fork) in forks {
            fork.register { Shared(Diesel(kind: "override"), as: (any Engine).self) }
            #expect(findings(fork).isEmpty, "\(row)")
            #expect(await builtFindings(fork).isEmpty, "\(row)")
            let line: UInt = #line + 1
            fork.register { Shared(Diesel(kind: "again")) }
            #expect(try only(fork).kind == .replaced && only(fork).line == line, "\(row)")
        }
        DIContainer.withContainer(container) {
            DIContainer.withOverrides {
                New(Diesel())
            } operation: {
                #expect(findings(.current).isEmpty)
            }
        }
    }

    @Test("warns of the last replaced place, also if decorated, copied or inherited")
    func replacedSeveralTimes() throws {
        let line: UInt = #line + 2
        let container = DIContainer {
            Shared(Diesel())
            New(Diesel())
            Shared(Diesel(kind: "x"), as: (any Engine).self)
        }
        container.register { Decorate(Diesel.self) { base, _ in base } }
        let place = "\(#fileID):\(line + 1)"
        #expect(container.registrations.map(\.replaced) == [place])
        for (row, container) in [
            "container": container, "container.fork()": container.fork(),
            "container.makeChild()": container.makeChild(),
            "container.makeChild().fork()": container.makeChild().fork(),
        ] as KeyValuePairs {
            let finding = try only(container)
            #expect(finding.kind == .replaced && finding.line == line + 2, "\(row)")
            #expect(finding.description.hasPrefix("Diesel replaces the registration at \(place).\n"), "\(row)")
        }
        container.unregister(Diesel.self)
        container.register { Shared(Diesel()) }
        #expect(container.registrations.map(\.replaced) == [nil])
    }

    @Test("the same value replaces nothing, but another value from the same line does")
    func replacedByItself() {
        let (first, second) = (New(Diesel(), file: "A.swift", line: 1), New(Diesel(), file: "B.swift", line: 2))
        let container = DIContainer()
        container.register(first, first)
        #expect(container.registrations.map(\.replaced) == [nil])
        container.register(second, second)
        #expect(container.registrations.map(\.replaced) == ["A.swift:1"])
        container.register(New(Diesel(), file: "B.swift", line: 2))
        #expect(container.registrations.map(\.replaced) == ["B.swift:2"])
    }

    @Test("warns of a registered Optional, and of an alias of an Optional type")
    func optional() throws {
        let finding = try only(DIContainer { Shared { _ in Ticket?.none } })
        #expect(finding.kind == .optionalRegistration && !finding.isError)
        #expect(finding.description.hasPrefix("Optional<Ticket> is an Optional, which no request resolves."))
        #expect(try only(DIContainer { Shared(Diesel(), as: (any Engine)?.self) }).kind == .optionalRegistration)
    }

    @Test("names the registered Optional if its wrapped type is missing")
    func missingBesideOptional() throws {
        let line: UInt = #line + 2
        let container = DIContainer {
            Shared(Ticket(number: 1) as Ticket?)
            New(autowiring: { (ticket: Ticket) in ticket.number })
        }
        let finding = try #require(findings(container).first { $0.isError })
        #expect(
            finding.description.hasPrefix(
                """
                Nothing is registered for Ticket, which Int needs.
                  similar registrations:
                    Optional<Ticket>  (registered at \(#fileID):\(line))

                """), "\(finding)")
        #expect(finding.description.hasSuffix("because no request resolves an Optional"), "\(finding)")
    }

    @Test("warns of an unrequested name that nearly matches a requested one")
    func similarName() throws {
        let container = DIContainer {
            Shared(Ticket(number: 1), name: "stagin")
            Shared(Ticket(number: 2), name: "production")
            Decorate(Ticket.self, name: "staging") { base, _ in base }
        }
        let found = findings(container)
        #expect(found.map(\.kind) == [.unusedDecorator, .similarName] && found.allSatisfy { !$0.isError })
        #expect(
            found[1].description.hasPrefix(
                "Ticket named \"stagin\" is never requested, but Ticket named \"staging\" is."))
        container.register(Shared(Ticket(number: 3), name: "staging"))
        #expect(findings(container).isEmpty)
        let aliases = DIContainer {
            Shared(Diesel(), name: "main", as: (any Engine).self, (any Starter).self)
            Shared(Diesel(), name: "mian")
            Shared(Diesel(), name: "spare")
        }
        #expect(findings(aliases).isEmpty)
        aliases.unregister(Diesel.self, name: "main")
        #expect(findings(aliases).map(\.kind) == [.error(.notRegistered), .similarName])
        #expect(findings(aliases).last?.key == "Diesel named \"mian\"")
    }

    @Test("warns of decorators without a registration, but not of similar names")
    func decoratorsOfNothing() {
        let container = DIContainer {
            Decorate(Ticket.self, name: "first") { base, _ in base }
            Decorate(Ticket.self, name: "firsts") { base, _ in base }
        }
        #expect(findings(container).map(\.kind) == [.unusedDecorator, .unusedDecorator])
    }

    @Test("does not warn of a registration that comes with two modules")
    func sameInTwoModules() {
        let common = Module {
            Shared(Ticket(number: 1))
            Shared(Diesel(), as: (any Engine).self)
            Shared(async: { _ in Wheel() })
        }
        let container = DIContainer {
            Module("A") { common }
            Module("B") { common }
        }
        #expect(findings(container).isEmpty)
        let log = EventLog(container)
        container.register { Module("C") { common } }
        container.register { Module("C") { Shared(Ticket(number: 1)) } }
        #expect(log.events.map(\.kind) == [.registered, .registered, .registered, .registered, .replaced])
    }

    @Test("does not warn of a name that resembles a requested one if an alias uses it")
    func similarNameOfAlias() throws {
        let container = DIContainer {
            Shared(Diesel(), name: "stagin", as: (any Engine).self)
            Decorate(Diesel.self, name: "staging") { base, _ in base }
        }
        #expect(try only(container).kind == .unusedDecorator)
    }
}

private final class Detail: Sendable { init(id: Int) {} }
private actor Cache { init(size: Int, path: String) {} }
private func makeDetail() async throws -> Detail { Detail(id: 1) }

@Suite("Warnings of functions that are registered")
struct FunctionWarningTests {
    @Test("warns of an initializer with any parameters")
    func classes() throws {
        let containers: KeyValuePairs = [
            "New of a class": DIContainer { New(Detail.init) },
            "Shared of a class": DIContainer { Shared(Detail.init) },
            "an actor": DIContainer { Shared(Cache.init) },
            "throws": DIContainer { New({ _ in Detail(id: 1) } as @Sendable (URL) throws -> Detail) },
            "an Optional": DIContainer { Shared({ _ in Wheel() } as @Sendable (Int?) -> Wheel) },
        ]
        for (row, container) in containers {
            let finding = try only(container)
            #expect(finding.kind == .missingAutowiring && !finding.isError, "\(row)")
            #expect(
                finding.description.contains(
                    "\n  fix: write `autowiring:` before it\n   or: register it with a name, if you need "
                ), "\(row)")
        }
    }

    @Test("does not warn of named closures and of closures with values of the system")
    func closures() {
        let container = DIContainer {
            New({ number in "\(number)" } as @Sendable (Int) -> String)
            New({ _ in Data() } as @Sendable (URL) -> Data)
            New({ _ in Data() } as @Sendable (Ticket) -> Data)
            New({ _ in Data() } as @Sendable (URL) async throws -> Data)
            New({ _ in Ticket(number: 1) } as @Sendable (Data) throws -> Ticket)
            New({ _ in (1, Ticket(number: 1)) } as @Sendable (Ticket) -> (Int, Ticket))
            New({ detail in { detail } } as @Sendable (Detail) -> @Sendable () -> Detail)
            New({} as @Sendable () async -> Void)
            New({ _ in } as @Sendable (Ticket) -> Void)
            New({ _ in true } as @Sendable (Ticket) -> Bool)
            Shared(Diesel.init)
            Module { New { _ -> @Sendable () -> Ticket in { Ticket(number: 1) } } }
            New({ Ticket(number: 1) } as @Sendable () -> Ticket, name: "maker")
            New({ _ in Wheel() } as @Sendable (Ticket) -> Wheel, name: "named")
            New({ 1 } as @Sendable () async -> Int)
            New({ Detail(id: 1) } as @Sendable () -> Detail)
            New({ number in Detail(id: number) } as @Sendable (Int) -> Detail, name: "maker")
        }
        #expect(findings(container).isEmpty, "\(findings(container))")
    }

    @Test("advises `async:` if an alias forwards to an awaited closure")
    func aliases() async throws {
        let containers = [
            DIContainer { New({ try await makeDetail() }, as: (any Engine).self) },
            DIContainer { New({ try await makeDetail() }, name: "maker", as: (any Engine).self) },
        ]
        for (row, found) in await allFindings(containers[0]) {
            #expect(found.map(\.kind) == [.error(.typeMismatch), .missingAutowiring], "\(found)")
            #expect(found.allSatisfy { $0.description.contains("\n  fix: write `async:` before it") }, "\(row)")
        }
        let named = try only(containers[1])
        #expect(named.kind == .error(.typeMismatch) && named.description.contains("\n  fix: write `async:`"))
        let good = DIContainer {
            New({ try await makeDetail() }, name: "maker", as: Any.self, AnyObject.self, (any Sendable).self)
        }
        #expect(findings(good).isEmpty, "\(findings(good))")
    }

    @Test("warns once of an awaited closure, also when building all, on any actor")
    func awaited() async throws {
        let containers = [
            // The compiler treats the closure as an instance that is isolated to the main actor.
            DIContainer { Shared { try await makeDetail() } },
            DIContainer { New { try await makeDetail() } },
            DIContainer { Shared({ _ in Detail(id: 1) } as @Sendable (Resolver) async -> Detail) },
        ]
        #expect(containers.map { $0.registrations.map(\.isMainActor) } == [[true], [false], [false]])
        for container in containers {
            for (row, found) in await allFindings(container) {
                #expect(found.map(\.kind) == [.missingAutowiring], "\(found)")
                #expect(try #require(found.first).description.contains("write `async:` before it"), "\(row)")
            }
        }
    }
}

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
        for (row, container) in ["container": container, "container.makeChild()": container.makeChild()]
            as KeyValuePairs
        {
            let finding = try only(container)
            #expect(finding.kind == .captiveDependency && finding.key == "Visit", "\(row)")
            #expect(finding.path.map(\.key) == ["Int", "Application<Optional<Router>>", "Router", "Handler"], "\(row)")
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
