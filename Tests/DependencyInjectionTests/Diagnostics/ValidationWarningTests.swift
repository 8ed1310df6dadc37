import DependencyInjection
import DependencyInjectionDiagnostics
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
        #expect(
            finding.description.hasPrefix(
                "Car needs any Engine, which is scoped. Car caches the first instance permanently."))
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
        for fork in [container.fork(), container.makeChild().fork(), container.makeChild { again }.fork()] {
            #expect(try only(fork).kind == .replaced)
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
        let forks = [container.fork(), container.makeChild().fork(), container.fork().fork()]
        for fork in forks {
            fork.register { Shared(Diesel(kind: "override"), as: (any Engine).self) }
            #expect(findings(fork).isEmpty)
            #expect(await builtFindings(fork).isEmpty)
            let line: UInt = #line + 1
            fork.register { Shared(Diesel(kind: "again")) }
            #expect(try only(fork).kind == .replaced && only(fork).line == line)
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
        for container in [container, container.fork(), container.makeChild(), container.makeChild().fork()] {
            let finding = try only(container)
            #expect(finding.kind == .replaced && finding.line == line + 2)
            #expect(finding.description.hasPrefix("Diesel replaces the registration at \(place).\n"))
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

    @Test("warns of an Optional in every form of registration")
    func everyFormOfOptional() throws {
        let forms: [any RegistrationConvertible] = [
            Shared(nil as Ticket?), New { Ticket?.none }, Graph { _ in Ticket?.none },
            Scoped(autowiring: makeOptionalTicket),
            Shared(mainActor: Ticket?.none), Shared(async: { _ in Ticket?.none }),
            New { _, number in number as Int == 1 ? Ticket(number: 1) : nil },
        ]
        for form in forms {
            let finding = try only(DIContainer { Module(form) })
            #expect(finding.kind == .optionalRegistration, "\(form)")
            #expect(finding.key == "Optional<Ticket>")
        }
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

private func makeOptionalTicket() -> Ticket? { nil }
