import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

extension Car {
    fileprivate convenience init() async throws { self.init(engine: Diesel()) }
}

@Suite("Warnings of validation")
struct ValidationWarningTests {
    private static let distant = DIContainer {
        New(autowiring: { (_: Dependent<Car?>) in 1 })
        Weak(autowiring: Dependent<Car?>.init)
        Graph(autowiring: Car.init)
        New(autowiring: { (_: Pool) in Diesel() }, as: (any Engine).self)
        Decorate((any Engine).self) { base, _ in base }
        Scoped(Pool())
    }
    private static let distantPath = ["Int", "Dependent<Optional<Car>>", "Car", "Diesel"]

    static let wirings: [Wiring] = [
        Wiring("a collection of a scoped type in another scoped type") {
            Scoped(Diesel() as any Engine)
            Scoped(autowiring: Dependent<All<any Engine>>.init)
        },
        Wiring("an alias of an Optional type", finds: [.optionalRegistration]) {
            Shared(Diesel(), as: (any Engine)?.self)
        },
        Wiring("decorators without a registration, with similar names", finds: [.unusedDecorator, .unusedDecorator]) {
            Decorate(Ticket.self, name: "first") { base, _ in base }
            Decorate(Ticket.self, name: "firsts") { base, _ in base }
        },
        Wiring(
            "an unrequested name that resembles a requested one, unlike another one",
            finds: [.unusedDecorator, .similarName], keys: ["Ticket named \"staging\"", "Ticket named \"stagin\""]
        ) {
            Shared(Ticket(number: 1), name: "stagin")
            Shared(Ticket(number: 2), name: "production")
            Decorate(Ticket.self, name: "staging") { base, _ in base }
        },
        Wiring("a name that resembles a requested one, if an alias uses it", finds: [.unusedDecorator]) {
            Shared(Diesel(), name: "stagin", as: (any Engine).self)
            Decorate(Diesel.self, name: "staging") { base, _ in base }
        },
        Wiring("a name that resembles a requested one, if that is registered") {
            Shared(Ticket(number: 1), name: "stagin")
            Shared(Ticket(number: 3), name: "staging")
            Decorate(Ticket.self, name: "staging") { base, _ in base }
        },
        Wiring(
            "a captive dependency through several lifetimes, an alias, decorator, Graph and Optional",
            finds: [.captiveDependency],
            keys: ["Pool"], path: distantPath, in: distant),
        Wiring(
            "a captive dependency through several lifetimes in a child", finds: [.captiveDependency], keys: ["Pool"],
            path: distantPath,
            in: distant.makeChild()),
        Wiring("no captive dependency behind a provider, or in another Scoped") {
            Scoped(Pool())
            New(autowiring: Unit.init)
            Shared(autowiring: Dependent<Provider<Unit>>.init)
            New(autowiring: { (_: Provider<Pool>) in Wheel() })
            Shared(autowiring: Dependent<Wheel>.init)
            Scoped(autowiring: { (_: Unit) in Vehicle() })
        },
        Wiring(
            "a captive dependency, but not of a Shared that depends on the Shared with it", finds: [.captiveDependency],
            path: ["Dependent<Dependent<Unit>>", "Dependent<Unit>", "Unit"]
        ) {
            Scoped(Pool())
            New(autowiring: Unit.init)
            Shared(autowiring: Dependent<Dependent<Unit>>.init)
            Shared(autowiring: Dependent<Unit>.init)
        },
        Wiring("a captive dependency behind a New that is also behind a provider", finds: [.captiveDependency]) {
            Scoped(Pool())
            New(autowiring: Unit.init)
            New(autowiring: { (_: Provider<Unit>, _: Unit) in Wheel() })
            Shared(autowiring: Dependent<Wheel>.init)
        },
        Wiring("a captive dependency behind a New that depends on itself", finds: [.error(.cycle), .captiveDependency])
        {
            Scoped(Pool())
            New(autowiring: { (_: Vehicle, _: Pool) in Wheel() })
            New(autowiring: { (_: Wheel) in Vehicle() })
            Shared(autowiring: Dependent<Wheel>.init)
        },
        Wiring(
            "a captive dependency, but not the dependencies of that", finds: [.captiveDependency], keys: ["Unit"]
        ) {
            Scoped(Pool())
            Scoped(autowiring: Unit.init)
            Shared(autowiring: Dependent<Unit>.init)
        },
    ]

    @Test("warns of", arguments: wirings)
    func warns(_ wiring: Wiring) { wiring.check(findings(wiring.container)) }

    @Test("warns of a captive dependency, through an alias and also once it is built")
    func scoped() throws {
        let container = DIContainer {
            Scoped(Diesel(), as: (any Engine).self)
            Shared(autowiring: Car.init)
        }
        #expect(try only(container).kind == .captiveDependency)
        _ = try container.resolve.orThrow(Diesel.self)
        #expect(container.registrations[0].isBuilt)
        #expect(try only(container).kind == .captiveDependency)
    }

    @Test("does not warn of an override in a fork, but of a replaced override")
    func overrides() async throws {
        let container = DIContainer { Shared(Diesel(), as: (any Engine).self) }
        let forks: KeyValuePairs = [
            "of a root": container.fork(), "of a child": container.makeChild().fork(),
            "of a fork": container.fork().fork(),
            "with a decorator": container.fork { Decorate(Diesel.self) { base, _ in base } },
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
        let decoration = Module { Decorate(Diesel.self) { base, _ in base } }
        let line: UInt = #line + 2
        let container = DIContainer {
            Shared(Diesel())
            New(Diesel())
            decoration
            Shared(Diesel(kind: "x"), as: (any Engine).self)
        }
        container.register { decoration }
        let place = "\(#fileID):\(line + 1)"
        #expect(container.registrations.map(\.replaced) == [place])
        for (row, container) in [
            "container": container, "container.fork()": container.fork(),
            "container.makeChild()": container.makeChild(),
            "container.makeChild().fork()": container.makeChild().fork(),
            "container.makeChild { decoration }.fork()": container.makeChild { decoration }.fork(),
        ] as KeyValuePairs {
            let finding = try only(container)
            #expect(finding.kind == .replaced && finding.line == line + 3, "\(row)")
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
        container.register(first)
        #expect(container.registrations.map(\.replaced) == ["B.swift:2"])
    }

    @Test("warns of a registered Optional, and names it if its wrapped type is missing")
    func optional() throws {
        let line: UInt = #line + 1
        let container = DIContainer { Shared(Ticket(number: 1) as Ticket?) }
        #expect(try only(container).kind == .optionalRegistration)
        container.register(New(autowiring: { (ticket: Ticket) in ticket.number }))
        let text = try #require(findings(container).first { $0.isError }).description
        #expect(text.contains("\n  similar registrations:\n    Optional<Ticket>  (registered at \(#fileID):\(line))\n"))
        #expect(text.hasSuffix("because no request resolves an Optional"), "\(text)")
    }

    @Test("warns of a name that resembles the name of an unregistered target")
    func similarNameOfTarget() {
        let container = DIContainer {
            Shared(Diesel(), name: "main", as: (any Engine).self, (any Starter).self)
            Shared(Diesel(), name: "mian")
            Shared(Diesel(), name: "spare")
        }
        container.unregister(Diesel.self, name: "main")
        #expect(findings(container).map(\.kind) == [.error(.notRegistered), .similarName])
        #expect(findings(container).last?.key == "Diesel named \"mian\"")
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

    // MARK: Functions that are registered

    @Test("warns of an initializer or another function with any parameters")
    func functions() {
        let container = DIContainer {
            New(Car.init)
            Shared(Tuned.init)
            New({ _ in Car(engine: Diesel()) } as @Sendable (URL) throws -> Car)
            Shared({ _ in Wheel() } as @Sendable (Int?) -> Wheel)
        }
        #expect(findings(container).map(\.kind) == [ValidationFinding.Kind](repeating: .missingAutowiring, count: 4))
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
            New({ car in { car } } as @Sendable (Car) -> @Sendable () -> Car)
            New({} as @Sendable () async -> Void)
            New({ _ in } as @Sendable (Ticket) -> Void)
            New({ _ in true } as @Sendable (Ticket) -> Bool)
            Shared(Diesel.init)
            Module { New { _ -> @Sendable () -> Ticket in { Ticket(number: 1) } } }
            New({ Ticket(number: 1) } as @Sendable () -> Ticket, name: "maker")
            New({ _ in Wheel() } as @Sendable (Ticket) -> Wheel, name: "named")
            New({ 1 } as @Sendable () async -> Int)
            New({ Car(engine: Diesel()) } as @Sendable () -> Car)
            New({ _ in Car(engine: Diesel()) } as @Sendable (Int) -> Car, name: "maker")
        }
        #expect(findings(container).isEmpty, "\(findings(container))")
    }

    @Test("does not warn of a function on which an initializer depends")
    func dependency() throws {
        let container = DIContainer { Shared({ Car(engine: $0) } as @Sendable (Diesel) -> Car) }
        #expect(try only(container).kind == .missingAutowiring)
        container.register(New(autowiring: Dependent<@Sendable (Diesel) -> Car>.init))
        #expect(findings(container).isEmpty)
        let make = try container.resolve.orThrow(Dependent<@Sendable (Diesel) -> Car>.self).dependency
        #expect(make(Diesel()).engine.kind == "diesel")
    }

    @Test("advises `async:` if an alias forwards to an awaited closure")
    func aliases() async throws {
        let container = DIContainer { New({ try await Car() }, as: (any Engine).self) }
        for (row, found) in await allFindings(container) {
            #expect(found.map(\.kind) == [.error(.typeMismatch), .missingAutowiring], "\(row): \(found)")
            #expect(found.allSatisfy { $0.description.contains("\n  fix: write `async:` before it") }, "\(row)")
        }
        let named = try only(DIContainer { New({ try await Car() }, name: "maker", as: (any Engine).self) })
        #expect(named.kind == .error(.typeMismatch) && named.description.contains("\n  fix: write `async:`"))
        let good = DIContainer {
            New({ try await Car() }, name: "maker", as: Any.self, AnyObject.self, (any Sendable).self)
        }
        #expect(findings(good).isEmpty, "\(findings(good))")
    }

    @Test("warns once of an awaited closure, also when building all, on any actor")
    func awaited() async throws {
        let containers = [
            // The compiler treats the closure as an instance that is isolated to the main actor.
            DIContainer { Shared { try await Car() } },
            DIContainer { New { try await Car() } },
            DIContainer { Shared({ _ in Car(engine: Diesel()) } as @Sendable (Resolver) async -> Car) },
        ]
        #expect(containers.map { $0.registrations.map(\.isMainActor) } == [[true], [false], [false]])
        for container in containers {
            for (row, found) in await allFindings(container) {
                #expect(found.map(\.kind) == [.missingAutowiring], "\(row) of \(container.registrations)")
                #expect(found.first?.description.contains("write `async:` before it") == true, "\(row)")
            }
        }
    }

    // MARK: Captive dependencies

    @Test("warns of a captive dependency behind a New, with the path, at the place of the Shared")
    func behindNew() throws {
        let line: UInt = #line + 2
        let container = DIContainer {
            Shared(autowiring: Dependent<Unit>.init)
            New(autowiring: Unit.init)
            Scoped(Pool())
        }
        let finding = try only(container)
        #expect(finding.kind == .captiveDependency && finding.line == line && finding.key == "Pool")
        #expect(finding.path.map(\.id.description) == ["Dependent<Unit>", "Unit"])
        #expect(
            finding.description == """
                Dependent<Unit> needs Pool, which is scoped. Dependent<Unit> caches the first instance permanently.
                  registered at \(#fileID):\(line)
                  path:
                    Dependent<Unit>  (registered at \(#fileID):\(line))
                    Unit  (registered at \(#fileID):\(line + 1))
                    → Pool
                  fix: register Dependent<Unit> with `Scoped` or `New`, so that the child builds it
                """)
    }

    @Test("warns of a captive dependency once for each pair of Shared and Scoped")
    func several() {
        let found = findings(
            DIContainer {
                Scoped(Pool())
                Scoped(Ticket(number: 1))
                New(autowiring: { (_: Pool, _: Ticket, _: Pool) in Wheel() })
                New(autowiring: { (_: Wheel) in Vehicle() })
                Shared(autowiring: { (_: Vehicle, _: Wheel) in 1 })
                Shared(autowiring: { (_: Wheel) in 1.5 })
            })
        #expect(found.map(\.key) == ["Pool", "Ticket", "Pool", "Ticket"])
        #expect(found.map { $0.path.first?.id.description } == ["Int", "Int", "Double", "Double"])
    }
}
