import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

@Suite("Rule 22: types provided by a child, in listings, diagrams and validation")
struct ProvidedByChildDiagnosticsTests {
    // MARK: Listing and pictures

    @Test("a declaration is listed as a kind of its own, until the type is registered")
    func listing() throws {
        let line: UInt = #line + 3
        let app = DIContainer {
            Shared(1)
            Module("Requests") { ProvidedByChild(Pool.self, name: "x") }
        }
        let info = try #require(app.registrations.last)
        #expect(app.registrations.map(\.isProvidedByChild) == [false, true])
        #expect(info.key == "Pool named \"x\"" && info.lifetime == nil && !info.isInherited && info.line == line)
        #expect("\(info)" == "ProvidedByChild Pool named \"x\", in Requests  (declared at \(#fileID):\(line))")
        let child = app.makeChild()
        #expect(child.registrations.map(\.isProvidedByChild) == [false, true])
        #expect(child.registrations.allSatisfy { $0.isInherited })
        #expect("\(child.registrations[1])".hasPrefix("ProvidedByChild Pool named \"x\", in Requests, inherited  ("))
        child.register(Shared(Pool(), name: "x"))
        #expect(child.registrations.map(\.isProvidedByChild) == [false, false])
        let registration = try #require(ProvidedByChild(Pool.self).registrations.first)
        #expect("\(registration)".hasPrefix("Pool: provided by a child, declared at \(#fileID):"))
    }

    @Test("has its own shape in diagrams and its own mark in the text, and isn't missing")
    func pictures() {
        let line: UInt = #line + 2
        let app = DIContainer {
            ProvidedByChild(Pool.self)
            New(autowiring: Unit.init)
            New(autowiring: { (_: Provider<Pool>, _: Pool?, _: All<Pool>) in 1 })
        }
        let box = "\"ProvidedByChild Pool<br/>\(#fileID):\(line)\""
        for (row, graph) in ["app.graph": app.graph, "app.makeChild().graph": app.makeChild().graph] as KeyValuePairs {
            #expect(graph.edges.map(\.to) == [0, 0, 0], "\(row)")
            #expect(graph.edges.map(\.isDeferred) == [false, true, false], "\(row)")
            let (mermaid, dot, text) = (graph.mermaid(), graph.dot(), graph.description)
            #expect(mermaid.contains("\n  n0{{\(box)}}\n"), "\(row)")
            #expect(mermaid.contains("\n  n1 --> n0\n") && mermaid.contains("\n  n2 -->|later| n0\n"), "\(row)")
            let label = box.replacing("<br/>", with: "\\n")
            #expect(dot.contains("\n  n0 [label=\(label), shape=hexagon]\n"), "\(row)")
            #expect(text.contains("\n  ProvidedByChild Pool"), "\(row)")
            #expect(text.contains("\n  later: ProvidedByChild Pool  (see above)"), "\(row)")
            #expect(!text.contains("missing") && !dot.contains("missing"), "\(row)")
        }
    }

    // MARK: Validation

    @Test("a child's instance may depend on it: app, children and fork are valid")
    func correct() {
        let app = DIContainer {
            New(autowiring: Unit.init)
            Scoped(autowiring: Dependent<Unit>.init)
            Graph(autowiring: Dependent<Dependent<Unit>>.init)
            New(autowiring: Dependent<Provider<Pool>>.init)
            Shared(autowiring: Dependent<Pool?>.init)
            ProvidedByChild(Pool.self)
        }
        #expect(findings(app).isEmpty, "\(findings(app))")
        #expect(findings(app.fork()).isEmpty)
        let child = app.makeChild { Shared(Pool()) }
        #expect(findings(child).isEmpty && findings(child.makeChild()).isEmpty)
        let middle = app.makeChild { ProvidedByChild(Pool.self) }
        #expect(findings(middle).isEmpty)
        #expect(findings(middle.makeChild { New(Pool()) }).isEmpty)
    }

    private static let dependents = Module {
        ProvidedByChild(Pool.self)
        New(autowiring: Unit.init)
        Scoped(autowiring: { (_: Unit) in Wheel() })
    }

    static let cached: [Wiring] = [
        Wiring("Shared", finds: [.error(.notRegistered)], path: ["Dependent<Pool>"]) {
            dependents
            Shared(autowiring: Dependent<Pool>.init)
        },
        Wiring("Weak", finds: [.error(.notRegistered)], path: ["Dependent<Pool>"]) {
            dependents
            Weak(autowiring: Dependent<Pool>.init)
        },
        Wiring("by a New", finds: [.error(.notRegistered)], path: ["Dependent<Unit>", "Unit"]) {
            dependents
            Shared(autowiring: Dependent<Unit>.init)
        },
        Wiring("by a provider", finds: [.error(.notRegistered)], path: ["Dependent<Provider<Pool>>"]) {
            dependents
            Shared(autowiring: Dependent<Provider<Pool>>.init)
        },
        Wiring(
            "by a provider of a Scoped", finds: [.error(.notRegistered)],
            path: ["Dependent<Provider<Wheel>>", "Wheel", "Unit"]
        ) {
            dependents
            Shared(autowiring: Dependent<Provider<Wheel>>.init)
        },
    ]

    @Test("a parent's cached instance cannot depend on it, even indirectly", arguments: cached)
    func dependsIndirectly(_ wiring: Wiring) throws {
        let dependent = try #require(wiring.container.registrations.last)
        let child = wiring.container.makeChild { Shared(Pool()) }
        for (row, container) in ["parent": wiring.container, "child": child] as KeyValuePairs {
            wiring.check(findings(container))
            let finding = try only(container)
            #expect(finding.key == "Pool" && finding.line == dependent.line, "\(row)")
            let problem = "needs Pool, which only children register, but their parent caches \(dependent.key)."
            #expect(finding.description.hasPrefix("\(dependent.key) \(problem)\n  registered at "), "\(row)")
        }
    }

    @Test("a child that neither registers nor declares it again lacks it")
    func child() throws {
        let line: UInt = #line + 2
        let app = DIContainer {
            ProvidedByChild(Pool.self)
            New(autowiring: Unit.init)
            New(autowiring: { (_: Unit) in Wheel() })
        }
        let child = app.makeChild { New(autowiring: Dependent<Pool>.init) }
        let problem = "Nothing is registered for Pool, which Dependent<Pool> needs.\n  declared at \(#fileID):\(line)\n"
        for (row, container) in ["child": child, "child.makeChild()": child.makeChild()] as KeyValuePairs {
            let finding = try only(container)
            #expect(finding.kind == .error(.notRegistered), "\(row)")
            #expect(finding.path.map(\.id.description) == ["Dependent<Pool>"], "\(row)")
            #expect(finding.description.hasPrefix(problem), "\(row)")
            let declaring = "\n   or: declare it with `ProvidedByChild`, if each child registers it"
            #expect(finding.description.contains(declaring), "\(row)")
        }
        #expect(try only(app.makeChild()).path.map(\.id.description) == ["Wheel", "Unit"])
        let cached = try only(app.makeChild { Shared(autowiring: Dependent<Pool>.init) })
        #expect(cached.description.hasPrefix(problem))
        #expect(cached.description.hasSuffix("\n   or: make the parameter an Optional"))
        let cachedLater = try only(app.makeChild { Shared(autowiring: Dependent<Wheel>.init) })
        #expect(cachedLater.path.map(\.id.description) == ["Dependent<Wheel>", "Wheel", "Unit"])
    }

    static let besideOptional: [Wiring] = [
        Wiring(
            "alone, in a child",
            in: DIContainer { ProvidedByChild(Pool.self) }.makeChild { New(autowiring: Dependent<Pool?>.init) }),
        Wiring("before", finds: [.error(.notRegistered)]) {
            ProvidedByChild(Pool.self)
            Shared(autowiring: Dependent<Provider<Ticket>>.init)
            Graph(autowiring: { (_: Pool?, _: Provider<Pool>) in Ticket(number: 1) })
        },
        Wiring("after", finds: [.error(.notRegistered)]) {
            ProvidedByChild(Pool.self)
            Shared(autowiring: Dependent<Provider<Ticket>>.init)
            Graph(autowiring: { (_: Provider<Pool>, _: Pool?) in Ticket(number: 1) })
        },
    ]

    @Test("an Optional dependency on it may be nil, and hides no other dependency on it", arguments: besideOptional)
    func optionalDependency(_ wiring: Wiring) { wiring.check(findings(wiring.container)) }

    // MARK: Building

    @Test("building excludes its dependents, and a warning advises to validate a child")
    func building() async throws {
        let app = DIContainer {
            ProvidedByChild(Pool.self)
            New(autowiring: Unit.init, as: (any AnyObject & Sendable).self)
            Scoped { resolve in Dependent<Unit>(try resolve.orThrow()) }
            New(async: { resolve in Dependent<Pool>(try await resolve.async()) })
            New { resolve in Piece<Unit>(resolve(Unit.self)) }
            Shared(1)
        }
        let found = try await app.validate(.building)
        #expect(found.map(\.kind) == [.unchecked, .unchecked, .unchecked, .unchecked])
        #expect(Set(found.map(\.key)) == ["Unit", "Dependent<Unit>", "Dependent<Pool>", "Piece<Unit>"])
        let reason = " was not built, because it needs Pool, which children register.\n"
        #expect(found.allSatisfy { $0.description.contains(reason) })
        #expect(found.allSatisfy { $0.description.hasSuffix("\n  fix: validate a child that registers Pool") })
        #expect(try await app.makeChild { Shared(Pool()) }.validate(.building).isEmpty)
    }

    static let built: [Wiring] = [
        Wiring("a parent's Shared", finds: [.error(.notRegistered)]) {
            ProvidedByChild(Pool.self)
            Shared { resolve in Unit(pool: try resolve.orThrow()) }
        },
        Wiring("a parent's autowired Shared", finds: [.error(.notRegistered)]) {
            ProvidedByChild(Pool.self)
            Shared(autowiring: Unit.init)
        },
        Wiring(
            "a child without the type", finds: [.error(.notRegistered)],
            in: DIContainer { ProvidedByChild(Pool.self) }.makeChild {
                New { resolve in Unit(pool: try resolve.orThrow()) }
            }),
    ]

    @Test("building finds a parent's invalid dependents and a child's missing types", arguments: built)
    func buildingFindsFaults(_ wiring: Wiring) async { wiring.check(await builtFindings(wiring.container)) }
}

@Suite("Rule 23: Diagnostics of contributions")
struct ContributionDiagnosticsTests {
    private let container = DIContainer {
        Shared(Diesel(), as: (any Starter).self).into((any Engine).self)
        Shared(Electric() as any Engine).into((any Engine).self)
        New(autowiring: Dependent<[any Engine]>.init)
    }

    @Test("The listing shows the collections of each registration")
    func listing() {
        let registrations = container.registrations
        #expect(
            registrations.map { $0.description.components(separatedBy: "  (")[0] } == [
                "Shared Diesel as any Starter into any Engine", "Shared any Engine into any Engine",
                "New Dependent<Array<Engine>>",
            ])
        #expect(registrations.map(\.collections) == [["any Engine"], ["any Engine"], []])
        #expect(registrations.map(\.aliases) == [["any Starter"], [], []])
        let module = Module { Shared(Diesel()).into((any Engine).self) }
        #expect(module.registrations[1].description.hasPrefix("any Engine: contribution of Diesel, contributed at "))
    }

    @Test("The graph has an edge from a collection's user to each contribution, and from there on")
    func graph() {
        let graph = container.graph
        #expect(
            graph.nodes.map(\.key) == [
                "Diesel", "any Starter", "any Engine", "any Engine", "Dependent<Array<Engine>>",
            ])
        #expect(graph.edges.map(\.from) == [1, 2, 4, 4])
        #expect(graph.edges.map(\.to) == [0, 0, 2, 3])
        #expect(graph.edges.map(\.kind) == [.alias, .alias, .autowiring, .autowiring])
        let text = graph.description.split(separator: "\n").map { $0.components(separatedBy: "  (")[0] }
        #expect(text.contains("New Dependent<Array<Engine>>"))
        #expect(text.contains("  Contribution any Engine"))
        #expect(text.contains("  Shared any Engine into any Engine"))
        let mermaid = graph.mermaid()
        #expect(mermaid.contains("Shared Diesel<br/>as any Starter<br/>into any Engine<br/>"))
        #expect(mermaid.contains("n2 -->|into| n0") && mermaid.contains("n1 -->|as| n0"))
        #expect(graph.dot().contains("n2 -> n0 [label=\"into\"]"))
        #expect(findings(container).isEmpty)
    }

    @Test("The graph of All, of an Optional and of a Provider has the same edges")
    func forms() {
        let edges = container.makeChild {
            New(autowiring: Dependent<All<any Engine>>.init)
            New(autowiring: Dependent<[any Engine]?>.init)
            New(autowiring: Dependent<Provider<[any Engine]>>.init)
        }.graph.edges.filter { $0.from < 3 }
        #expect(edges.map(\.from) == [0, 0, 1, 1, 2, 2])
        #expect(edges.allSatisfy { $0.key == "any Engine" && $0.isDeferred == ($0.from == 2) })
        let registered = container.makeChild { Shared([] as [any Engine]) }.graph.edges.filter {
            $0.kind == .autowiring
        }
        #expect(registered.map(\.key) == ["Array<any Engine>"])
        let none = DIContainer { New(autowiring: Dependent<[any Engine]?>.init) }
        #expect(none.graph.edges.isEmpty && findings(none).isEmpty)
    }

    private static let captiveText = "needs any Engine, which is scoped"

    static let wirings: [Wiring] = [
        Wiring(
            "an array without contributions", finds: [.error(.notRegistered)],
            text: "fix: register Array<any Engine>"
        ) { New(autowiring: Dependent<[any Engine]>.init) },
        Wiring(
            "a parent's array to which only a child contributes", finds: [.error(.notRegistered)],
            in: DIContainer { Shared(autowiring: Dependent<[any Engine]>.init) }.makeChild {
                Shared(Electric() as any Engine).into((any Engine).self)
            }),
        Wiring(
            "a single dependency on a type that is only contributed", finds: [.error(.notRegistered)],
            text: "fix: change the parameter to `[any Engine]`\n   or: register any Engine"
        ) {
            New(autowiring: Dependent<any Engine>.init)
            Shared(Electric() as any Engine).into((any Engine).self)
        },
        Wiring("an array of Shared that collects a Scoped", finds: [.captiveDependency], text: captiveText) {
            Shared(autowiring: Dependent<[any Engine]>.init)
            Shared(Diesel()).into((any Engine).self)
            Scoped(Electric()).into((any Engine).self)
        },
        Wiring("All in a Shared that collects a Scoped protocol", finds: [.captiveDependency], text: captiveText) {
            Shared(autowiring: Dependent<All<any Engine>>.init)
            Shared(Diesel()).into((any Engine).self)
            Scoped(Electric() as any Engine).into((any Engine).self)
        },
        Wiring("a replaced registration that is contributed, once", finds: [.replaced], keys: ["Diesel"]) {
            Shared(Diesel(), as: (any Starter).self).into((any Engine).self)
            Shared(Diesel()).into((any Engine).self)
        },
    ]

    @Test("validate() finds", arguments: wirings)
    func finds(_ wiring: Wiring) { wiring.check(findings(wiring.container)) }

    @Test("validate() finds a contribution that doesn't conform, at its line")
    func mismatch() async throws {
        let line: UInt = #line + 2
        let container = DIContainer {
            Shared(Ticket(number: 1)).into((any Engine).self)
            Shared(Diesel()).into((any Engine).self)
        }
        for (row, found) in await allFindings(container) {
            #expect(found.map(\.kind) == [.error(.typeMismatch)] && found.map(\.line) == [line], "\(row)")
            let text = "Ticket is contributed to the collection of any Engine, and does not conform.\n"
            #expect(found.first?.description.hasPrefix(text) == true, "\(row)")
        }
    }

    @Test("validate(.building) finds a contribution whose instance isn't of the type")
    func mismatchOfInstance() async throws {
        let container = DIContainer { Shared(Diesel() as any Starter).into(Electric.self) }
        #expect(findings(container).isEmpty)
        #expect(await builtFindings(container).map(\.kind) == [.error(.typeMismatch)])
    }

    @Test("A decorator of a type with contributions is used, and one of another type is not")
    func unusedDecorator() throws {
        container.register(Decorate((any Engine).self) { base, _ in base })
        #expect(findings(container).isEmpty)
        container.register(Decorate((any Engine).self, name: "x") { base, _ in base })
        #expect(try only(container).kind == .unusedDecorator)
    }

    @Test("A misplaced decorator of contributions is found once, at its own line")
    func misplacedDecorator() throws {
        let line: UInt = #line + 1
        let child = container.makeChild { Decorate((any Engine).self) { base, _ in base } }
        let finding = try only(child)
        #expect(finding.kind == .error(.misplacedDecorator) && finding.line == line)
        #expect(findings(child.fork()).isEmpty)
    }

    @Test("A cycle through a collection is found once, and only its own edges are marked")
    func cycle() async {
        let container = DIContainer {
            Shared(autowiring: Dependent<[any Engine]>.init)
            Shared(autowiring: { (_: Dependent<[any Engine]>) in Electric() }).into((any Engine).self)
            Shared(Diesel()).into((any Engine).self)
        }
        for (row, found) in await allFindings(container) { #expect(found.map(\.kind) == [.error(.cycle)], "\(row)") }
        #expect(container.graph.mermaid().split(separator: "\n").count { $0.hasPrefix("  linkStyle") } == 3)
    }

    @Test("An observer's events and paths say where a registration was contributed")
    func events() throws {
        let container = DIContainer()
        let log = EventLog(container)
        container.register(Shared(Electric() as any Engine).into((any Engine).self))
        let text = try #require(log.events.first).description
        #expect(text.hasPrefix("registered any Engine  (contributed at \(#fileID):"))
    }
}
