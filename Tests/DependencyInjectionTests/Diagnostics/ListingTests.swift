import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("Listing registrations")
struct ListingTests {
    @Test("lists registrations in order, with lifetime, names, decorators and place")
    func properties() throws {
        let line: UInt = #line + 2
        let container = DIContainer {
            Shared(Diesel.init, as: (any Engine).self, (any Starter).self)
            New { _, number in Ticket(number: number) }
            Weak(Diesel(kind: "small"), name: "small")
            Decorate(Car.self) { base, _ in base }
            Scoped(autowiring: Car.init)
            Decorate(Car.self) { base, _ in base }
            Graph(7)
        }
        let list = container.registrations
        #expect(list.map(\.key) == ["Diesel", "Ticket", "Diesel named \"small\"", "Car", "Int"])
        #expect(list.map(\.lifetime) == [.shared, .new, .weak, .scoped, .graph])
        #expect(list.map(\.line) == [line, line + 1, line + 2, line + 4, line + 6])
        #expect(list.allSatisfy { $0.file == #fileID && !$0.isBuilt && !$0.isInherited && $0.module == nil })
        #expect(list[0].aliases == ["any Engine", "any Starter"])
        #expect(list[0].type == Diesel.self && list[2].name == "small")
        // The innermost first.
        #expect(list[3].decorators.map(\.line) == [line + 3, line + 5])
        #expect(list[3].description == "Scoped Car, decorated  (registered at \(#fileID):\(line + 4))")
        #expect(list[0].description.hasPrefix("Shared Diesel as any Engine, any Starter  (registered at"))
    }

    @Test("shows cached instances, also through an alias, and builds nothing itself")
    func built() throws {
        let builds = Counter()
        let container = DIContainer {
            Shared({ _ in builds.counting(Diesel()) }, as: (any Engine).self)
            New(Ticket(number: 1))
            Weak(autowiring: Car.init)
        }
        _ = container.registrations
        #expect(builds.count == 0)
        var car: Car? = try container.resolve.orThrow()
        _ = try container.resolve.orThrow(Ticket.self)
        #expect(withExtendedLifetime(car) { container.registrations.map(\.isBuilt) } == [true, false, true])
        car = nil
        #expect(container.registrations.map(\.isBuilt) == [true, false, false])
        container.resetInstances()
        #expect(container.registrations.allSatisfy { !$0.isBuilt })
    }

    @Test("lists inherited registrations after a child's own, without the overridden")
    func inherited() throws {
        let parent = DIContainer {
            Shared(Ticket(number: 1))
            Shared(Diesel(), as: (any Engine).self)
            Scoped(autowiring: Car.init)
        }
        let child = parent.makeChild {
            New(Ticket(number: 2))
            Decorate(Ticket.self) { base, _ in base }
        }
        #expect(child.registrations.map(\.key) == ["Ticket", "Diesel", "Car"])
        #expect(child.registrations.map(\.lifetime) == [.new, .shared, .scoped])
        #expect(child.registrations.map(\.isInherited) == [false, true, true])
        #expect(child.registrations.map(\.decorators.count) == [1, 0, 0])
        #expect(parent.registrations.allSatisfy { !$0.isInherited && $0.decorators.isEmpty })
        _ = try child.resolve.orThrow(Car.self)
        #expect(child.registrations.map(\.isBuilt) == [false, true, true])
        #expect(parent.registrations.map(\.isBuilt) == [false, true, false])
    }

    @Test("lists a parent's decorator without a registration as inherited")
    func inheritedDecorator() {
        let parent = DIContainer { Decorate(Ticket.self) { base, _ in base } }
        let child = parent.makeChild()
        let containers = [parent, child, child.makeChild()]
        #expect(containers.map { $0.registrations.map(\.isInherited) } == [[false], [true], [true]])
    }

    @Test("lists an alias without its target and a decorator without a registration")
    func dangling() {
        let container = DIContainer {
            Shared(Diesel(), as: (any Engine).self)
            Decorate(Ticket.self) { base, _ in base }
        }
        container.unregister(Diesel.self)
        let texts = container.registrations.map { "\($0)".prefix { $0 != "(" } }
        #expect(texts == ["Alias any Engine  ", "Decorate Ticket  "])
        #expect(container.registrations.map(\.lifetime) == [.shared, nil])
    }

    @Test("describes a container on one line")
    func description() throws {
        let container = DIContainer {
            Shared(Diesel(), as: (any Engine).self)
            New(Ticket(number: 1))
            Decorate(Ticket.self) { base, _ in base }
            ProvidedByChild(Car.self)
        }
        #expect("\(container)" == "DIContainer with 2 registrations")
        #expect("\(container.makeChild { Shared(1) })" == "DIContainer with 3 registrations")
        #expect(Mirror(reflecting: container).children.isEmpty)
    }

    @Test("shows a registration as isolated to the main actor if one of its decorators is")
    func mainActorByDecorator() {
        let root = DIContainer { Shared(Diesel()) }
        let fork = root.fork { Decorate(Diesel.self, mainActor: { base, _ in base }) }
        let containers = [root, fork, fork.makeChild()]
        #expect(containers.map { $0.registrations.map(\.isMainActor) } == [[false], [true], [true]])
    }

    @Test("shows a decorated alias with the properties of its target")
    func decoratedAlias() throws {
        let container = DIContainer {
            Shared(async: { _ in Diesel() }, as: (any Engine).self)
            Decorate((any Engine).self) { base, _ in base }
        }
        #expect(container.registrations.first { $0.type == (any Engine).self }?.isAsync == true)
        container.register(New(mainActor: { _ in Diesel() }))
        let replaced = try #require(container.registrations.first { $0.type == (any Engine).self })
        #expect(replaced.lifetime == .new && !replaced.isAsync && replaced.isMainActor)
    }

    @Test("lists an alias with its final target, and an inherited alias once")
    func aliases() throws {
        let container = DIContainer {
            Shared(Electric() as any Engine, as: (any Starter).self)
            Shared(Diesel(), as: (any Engine).self)
            Shared(autowiring: Car.init)
        }
        #expect(try container.resolve.orThrow((any Starter).self) is Diesel)
        #expect(container.registrations.map { Set($0.aliases) } == [["any Engine", "any Starter"], []])
        #expect(container.makeChild().registrations.map { Set($0.aliases) } == [["any Engine", "any Starter"], []])
    }
}

@Suite("Unchecked registrations and the arguments of factories")
struct UncheckedRegistrationTests {
    private let container = DIContainer {
        Shared(Diesel() as any Engine)
        Shared(autowiring: Car.init)
        New { _, number in Ticket(number: number) }
        Shared(name: "closure") { resolve in Diesel(kind: (resolve() as Car).engine.kind) }
        Shared(name: "plain") { Diesel() }
        ProvidedByChild((any Starter).self)
    }

    @Test("Expressions and closures are unchecked, initializers and literals aren't")
    func uncheckedRegistrations() {
        let graph = container.graph
        #expect(
            graph.uncheckedRegistrations.map(\.key) == [
                "any Engine", "Ticket", "Diesel named \"closure\"", "Diesel named \"plain\"",
            ])
        #expect(
            graph.description.hasSuffix(
                """
                \n4 of 5 registrations are expressions or closures, whose dependencies are only known when they run: use \
                `autowiring:`, `.building` or the audit
                """)
        )
    }

    @Test("Other expressions, closures, asynchronous factories and decorated registrations are unchecked")
    func expressions() {
        let graph = DIContainer {
            Shared([1, 2])
            Shared(Diesel.init)
            Shared(mainActor: Diesel() as any Engine)
            Decorate((any Engine).self) { base, _ in base }
            Shared(mainActor: { Diesel() as any Starter })
            Shared(async: { _ in Ticket(number: 1) })
        }.graph
        #expect(
            graph.uncheckedRegistrations.map(\.key) == ["Array<Int>", "Diesel", "any Engine", "any Starter", "Ticket"])
    }

    @Test("The summary counts one registration in the singular")
    func summary() {
        let one = DIContainer {
            Shared(Diesel() as any Engine)
            Shared(autowiring: Car.init)
        }
        #expect(one.graph.uncheckedSummary?.hasPrefix("1 of 2 registrations is an expression or closure, ") == true)
    }

    @Test("The arguments of a factory are in listings, in the graph and in descriptions")
    func arguments() throws {
        let ticket = try #require(container.registrations.first { $0.type == Ticket.self })
        #expect(ticket.arguments.map { "\($0)" } == ["Int"])
        #expect(ticket.description.hasPrefix("New Ticket (Int)  ("))
        #expect(container.graph.mermaid().contains("New Ticket (Int)"))
        #expect(container.graph.description.contains("New Ticket (Int)"))
        #expect(container.registrations.first?.arguments.isEmpty == true)
    }
}
