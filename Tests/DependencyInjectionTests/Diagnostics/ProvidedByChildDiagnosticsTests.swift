import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

private struct Session: Sendable {}
private final class Handler: Sendable { init(_ session: Session) {} }
private final class Page: Sendable { init(_ handler: Handler) {} }
private final class Site<Need>: Sendable { init(_ need: Need) {} }

@Suite("Rule 22: types provided by a child, in listings, diagrams and validation")
struct ProvidedByChildDiagnosticsTests {
    // MARK: Listing and pictures

    @Test("a declaration is listed as a kind of its own, until the type is registered")
    func listing() throws {
        let line: UInt = #line + 3
        let app = DIContainer {
            Shared(1)
            Module("Requests") { ProvidedByChild(Session.self, name: "x") }
        }
        let info = try #require(app.registrations.last)
        #expect(app.registrations.map(\.isProvidedByChild) == [false, true])
        #expect(info.key == "Session named \"x\"" && info.lifetime == nil && !info.isInherited && info.line == line)
        #expect("\(info)" == "ProvidedByChild Session named \"x\", in Requests  (declared at \(#fileID):\(line))")
        let child = app.makeChild()
        #expect(child.registrations.map(\.isProvidedByChild) == [false, true])
        #expect(child.registrations.allSatisfy { $0.isInherited })
        #expect("\(child.registrations[1])".hasPrefix("ProvidedByChild Session named \"x\", in Requests, inherited  ("))
        child.register(Shared(Session(), name: "x"))
        #expect(child.registrations.map(\.isProvidedByChild) == [false, false])
        let registration = try #require(ProvidedByChild(Session.self).registrations.first)
        #expect("\(registration)".hasPrefix("Session: provided by a child, declared at \(#fileID):"))
    }

    @Test("has its own shape in diagrams and its own mark in the text, and isn't missing")
    func pictures() {
        let line: UInt = #line + 2
        let app = DIContainer {
            ProvidedByChild(Session.self)
            New(autowiring: Handler.init)
            New(autowiring: { (_: Provider<Session>, _: Session?, _: All<Session>) in 1 })
        }
        for (row, graph) in ["app.graph": app.graph, "app.makeChild().graph": app.makeChild().graph] as KeyValuePairs {
            #expect(
                graph.edges.map(\.to) == [0, 0, 0] && graph.edges.map(\.isDeferred) == [false, true, false], "\(row)")
            #expect(
                graph.mermaid().contains("\n  n0{{\"ProvidedByChild Session<br/>\(#fileID):\(line)\"}}\n"), "\(row)")
            #expect(
                graph.mermaid().contains("\n  n1 --> n0\n") && graph.mermaid().contains("\n  n2 -->|later| n0\n"),
                "\(row)")
            #expect(
                graph.dot().contains(
                    "\n  n0 [label=\"ProvidedByChild Session\\n\(#fileID):\(line)\", shape=hexagon]\n"), "\(row)")
            #expect(graph.description.contains("\n  ProvidedByChild Session"), "\(row)")
            #expect(graph.description.contains("\n  later: ProvidedByChild Session  (see above)"), "\(row)")
            #expect(!graph.description.contains("missing") && !graph.dot().contains("missing"), "\(row)")
        }
    }

    // MARK: Validation

    @Test("a child's instance may depend on it: app, children and fork are valid")
    func correct() {
        let app = DIContainer {
            New(autowiring: Handler.init)
            Scoped(autowiring: Page.init)
            Graph(autowiring: Site<Page>.init)
            New(autowiring: Site<Provider<Session>>.init)
            Shared(autowiring: Site<Session?>.init)
            ProvidedByChild(Session.self)
        }
        #expect(findings(app).isEmpty, "\(findings(app))")
        #expect(findings(app.fork()).isEmpty)
        let child = app.makeChild { Shared(Session()) }
        #expect(findings(child).isEmpty && findings(child.makeChild()).isEmpty)
        let middle = app.makeChild { ProvidedByChild(Session.self) }
        #expect(findings(middle).isEmpty)
        #expect(findings(middle.makeChild { New(Session()) }).isEmpty)
    }

    @Test("the fix names the declaration and the child, but neither for a cached type")
    func undeclared() throws {
        let app = DIContainer { New(autowiring: Handler.init) }
        let text = try only(app).description
        #expect(
            text.hasSuffix(
                """
                \n  fix: register Session
                   or: declare it with `ProvidedByChild`, if each child registers it
                """))
        let cached = DIContainer { Shared(autowiring: Handler.init) }
        #expect(try only(cached).description.hasSuffix("\n   or: make the parameter an Optional"))
    }

    @Test("a parent's cached instance cannot depend on it, even indirectly", arguments: [0, 1, 2, 3, 4])
    func cached(form: Int) throws {
        let app = DIContainer {
            ProvidedByChild(Session.self)
            New(autowiring: Handler.init)
            Scoped(autowiring: Page.init)
            switch form {
            case 0: Shared(autowiring: Site<Session>.init)
            case 1: Weak(autowiring: Site<Session>.init)
            case 2: Shared(autowiring: Site<Handler>.init)
            case 3: Shared(autowiring: Site<Provider<Session>>.init)
            default: Shared(autowiring: Site<Provider<Page>>.init)
            }
        }
        for (row, container) in [
            "app": app, "app.makeChild { Shared(Session()) }": app.makeChild { Shared(Session()) },
        ] as KeyValuePairs {
            let finding = try only(container)
            #expect(finding.kind == .error(.notRegistered) && finding.key == "Session", "\(row)")
            let site = try #require(app.registrations.first { $0.key.hasPrefix("Site") })
            #expect(finding.line == site.line, "\(row)")
            #expect(
                finding.description.hasPrefix(
                    """
                    \(site.key) needs Session, which only children register, but their parent caches \(site.key).
                      registered at \(#fileID):\(site.line)

                    """), "\(row)")
            #expect(
                finding.description.hasSuffix(
                    "\n  fix: register \(site.key) with `Scoped` or `New`, so that the child builds it\n"
                        + "   or: register Session in the parent"), "\(row)")
            let ways: [[String]] = [[], [], ["Handler"], [], ["Page", "Handler"]]
            #expect(finding.path.map(\.key) == [site.key] + ways[form], "\(row)")
        }
    }

    @Test("a child that neither registers nor declares it again lacks it")
    func child() throws {
        let line: UInt = #line + 2
        let app = DIContainer {
            ProvidedByChild(Session.self)
            New(autowiring: Handler.init)
            New(autowiring: Page.init)
        }
        let child = app.makeChild { New(autowiring: Site<Session>.init) }
        for (row, container) in ["child": child, "child.makeChild()": child.makeChild()] as KeyValuePairs {
            let finding = try only(container)
            #expect(finding.kind == .error(.notRegistered) && finding.path.map(\.key) == ["Site<Session>"], "\(row)")
            #expect(
                finding.description.hasPrefix(
                    """
                    Nothing is registered for Session, which Site<Session> needs.
                      declared at \(#fileID):\(line)

                    """), "\(row)")
            #expect(
                finding.description.contains(
                    "\n   or: declare it with `ProvidedByChild`, if each child registers it"), "\(row)")
        }
        #expect(try only(app.makeChild()).path.map(\.key) == ["Page", "Handler"])
        let cached = try only(app.makeChild { Shared(autowiring: Site<Session>.init) })
        #expect(
            cached.description.hasPrefix("Nothing is registered for Session, which Site<Session> needs.\n  declared at")
        )
        #expect(cached.description.hasSuffix("\n   or: make the parameter an Optional"))
        let cachedLater = try only(app.makeChild { Shared(autowiring: Site<Page>.init) })
        #expect(cachedLater.path.map(\.key) == ["Site<Page>", "Page", "Handler"])
    }

    @Test("an Optional dependency on it hides no other dependency on it", arguments: [true, false])
    func besideOptional(isFirst: Bool) throws {
        let app = DIContainer {
            ProvidedByChild(Session.self)
            Shared(autowiring: { (_: Provider<Ticket>) in Site(1) })
            if isFirst {
                Graph(autowiring: { (_: Session?, _: Provider<Session>) in Ticket(number: 1) })
            } else {
                Graph(autowiring: { (_: Provider<Session>, _: Session?) in Ticket(number: 1) })
            }
        }
        #expect(try only(app).kind == .error(.notRegistered))
    }

    // MARK: Building

    @Test("building excludes its dependents, and a warning advises to validate a child")
    func building() async throws {
        let app = DIContainer {
            ProvidedByChild(Session.self)
            New(autowiring: Handler.init, as: (any AnyObject & Sendable).self)
            Scoped { resolve in Page(try resolve.orThrow()) }
            New(async: { resolve in Site<Session>(try await resolve.async()) })
            New { resolve in Site<Handler>(resolve()) }
            Shared(1)
        }
        let found = try await app.validate(.building)
        #expect(found.map(\.kind) == [.unchecked, .unchecked, .unchecked, .unchecked])
        #expect(Set(found.map(\.key)) == ["Handler", "Page", "Site<Session>", "Site<Handler>"])
        #expect(
            found.allSatisfy {
                $0.description.contains(" was not built, because it needs Session, which children register.\n")
                    && $0.description.hasSuffix(
                        """
                        \n  fix: validate a child that registers Session
                        """)
            })
        #expect(try await app.makeChild { Shared(Session()) }.validate(.building).isEmpty)
    }

    @Test("building finds a parent's invalid dependents and a child's missing types")
    func buildingFindsFaults() async throws {
        let app = DIContainer {
            ProvidedByChild(Session.self)
            Shared { resolve in Handler(try resolve.orThrow()) }
        }
        let lacking = DIContainer { ProvidedByChild(Session.self) }.makeChild {
            New { resolve in Handler(try resolve.orThrow()) }
        }
        for (row, container) in ["app": app, "lacking": lacking] as KeyValuePairs {
            #expect(await builtFindings(container).map(\.kind) == [.error(.notRegistered)], "\(row)")
        }
        let declared = DIContainer {
            ProvidedByChild(Session.self)
            Shared(autowiring: Handler.init)
        }
        #expect(await builtFindings(declared).count == 1)
    }
}

private protocol Plugin: Sendable {}
private protocol Command: Sendable {}
private final class Spelling: Plugin, Command {}
private final class Grammar: Plugin {}
private final class Editor: Sendable { init(_ plugins: [any Plugin]) {} }
private final class Menu: Sendable { init(_ plugins: All<any Plugin>) {} }
private final class Visit: Plugin {}

@Suite("Rule 23: Diagnostics of contributions")
struct ContributionDiagnosticsTests {
    private let container = DIContainer {
        Shared(autowiring: Spelling.init, as: (any Command).self).into((any Plugin).self)
        Shared(Grammar() as any Plugin).into((any Plugin).self)
        New(autowiring: Editor.init)
    }

    private func lines(_ text: some Collection<Character>) -> [String] {
        text.split(separator: "\n").map { String($0).components(separatedBy: "  (")[0] }
    }

    @Test("The listing shows the collections of each registration")
    func listing() {
        let registrations = container.registrations
        #expect(
            registrations.map { lines($0.description)[0] } == [
                "Shared Spelling as any Command into any Plugin", "Shared any Plugin into any Plugin", "New Editor",
            ])
        #expect(registrations.map(\.collections) == [["any Plugin"], ["any Plugin"], []])
        #expect(registrations.map(\.aliases) == [["any Command"], [], []])
        let module = Module { Shared(Spelling()).into((any Plugin).self) }
        #expect(module.registrations[1].description.hasPrefix("any Plugin: contribution of Spelling, contributed at "))
    }

    @Test("The graph has an edge from a collection's user to each contribution, and from there on")
    func graph() {
        let graph = container.graph
        #expect(graph.nodes.map(\.key) == ["Spelling", "any Command", "any Plugin", "any Plugin", "Editor"])
        #expect(graph.edges.map(\.from) == [1, 2, 4, 4])
        #expect(graph.edges.map(\.to) == [0, 0, 2, 3])
        #expect(graph.edges.map(\.kind) == [.alias, .alias, .autowiring, .autowiring])
        let text = lines(graph.description)
        #expect(text.contains("New Editor"))
        #expect(text.contains("  Contribution any Plugin"))
        #expect(text.contains("  Shared any Plugin into any Plugin"))
        let mermaid = graph.mermaid()
        #expect(mermaid.contains("Shared Spelling<br/>as any Command<br/>into any Plugin<br/>"))
        #expect(mermaid.contains("n2 -->|into| n0") && mermaid.contains("n1 -->|as| n0"))
        #expect(graph.dot().contains("n2 -> n0 [label=\"into\"]"))
        #expect(findings(container).isEmpty)
    }

    @Test("The graph of All, of an Optional and of a Provider has the same edges")
    func forms() {
        for (registration, isDeferred) in [
            (Module { New(autowiring: Menu.init) }, false),
            (Module { New(autowiring: { (_: [any Plugin]?) in 1 }) }, false),
            (Module { New(autowiring: { (_: Provider<[any Plugin]>) in 1 }) }, true),
        ] {
            let graph = container.makeChild { registration }.graph
            #expect(graph.edges.filter { $0.from == 0 }.map(\.key) == ["any Plugin", "any Plugin"], "\(isDeferred)")
            #expect(graph.edges.filter { $0.from == 0 }.allSatisfy { $0.isDeferred == isDeferred }, "\(isDeferred)")
        }
        let none = DIContainer { New(autowiring: { (_: [any Plugin]?) in 1 }) }
        #expect(none.graph.edges.isEmpty && findings(none).isEmpty)
        let registered = container.makeChild {
            New(autowiring: Editor.init)
            Shared([] as [any Plugin])
        }
        #expect(registered.graph.edges.filter { $0.from == 0 }.map(\.key) == ["Array<any Plugin>"])
    }

    @Test("validate() finds an array without contributions, and names the way to write it")
    func missing() throws {
        let none = DIContainer { New(autowiring: Editor.init) }
        let finding = try only(none)
        #expect(finding.kind == .error(.notRegistered))
        #expect(
            finding.description.contains(
                "fix: contribute its elements with `.into((any Plugin).self)`\n   or: register Array<any Plugin>"))
        // Only a child contributes.
        let parent = DIContainer { Shared(autowiring: Editor.init) }
        let child = parent.makeChild { Shared(Grammar() as any Plugin).into((any Plugin).self) }
        #expect(try only(child).kind == .error(.notRegistered))
    }

    @Test("validate() finds a single dependency on a type that is only contributed")
    func single() throws {
        let container = DIContainer {
            New(autowiring: { (_: any Plugin) in 1 })
            Shared(Grammar() as any Plugin).into((any Plugin).self)
        }
        let finding = try only(container)
        #expect(finding.kind == .error(.notRegistered))
        #expect(finding.description.contains("fix: change the parameter to `[any Plugin]`\n   or: register any Plugin"))
        #expect(!finding.description.contains("without a name"))
    }

    @Test("validate() finds a contribution that doesn't conform, at its line", arguments: [false, true])
    func mismatch(_ isBuilding: Bool) async throws {
        let line: UInt = #line + 2
        let container = DIContainer {
            Shared(Ticket(number: 1)).into((any Engine).self)
            Shared(Diesel()).into((any Engine).self)
        }
        let found = isBuilding ? await builtFindings(container) : findings(container)
        let finding = try #require(found.first)
        #expect(found.count == 1 && finding.kind == .error(.typeMismatch) && finding.line == line)
        #expect(
            finding.description == """
                Ticket is contributed to the collection of any Engine, and does not conform.
                  registered at \(#fileID):\(line)
                  fix: register an instance that conforms to any Engine
                   or: remove `.into((any Engine).self)`
                """)
    }

    @Test("validate(.building) finds a contribution whose instance isn't of the type")
    func mismatchOfInstance() async throws {
        let container = DIContainer { Shared(Spelling() as any Command).into(Grammar.self) }
        #expect(findings(container).isEmpty)
        #expect(await builtFindings(container).map(\.kind) == [.error(.typeMismatch)])
    }

    @Test("A decorator of a type with contributions is used, and one of another type is not")
    func unusedDecorator() throws {
        container.register(Decorate((any Plugin).self) { base, _ in base })
        #expect(findings(container).isEmpty)
        container.register(Decorate((any Plugin).self, name: "x") { base, _ in base })
        #expect(try only(container).kind == .unusedDecorator)
    }

    @Test("A misplaced decorator of contributions is found once, at its own line")
    func misplacedDecorator() throws {
        let line: UInt = #line + 1
        let child = container.makeChild { Decorate((any Plugin).self) { base, _ in base } }
        let finding = try only(child)
        #expect(finding.kind == .error(.misplacedDecorator) && finding.line == line)
        #expect(findings(child.fork()).isEmpty)
    }

    @Test("A Shared that collects a Scoped is a captive dependency, through an array and All")
    func captive() throws {
        for module in [Module { Shared(autowiring: Editor.init) }, Module { Shared(autowiring: Menu.init) }] {
            for (row, scoped) in [
                "Module { Scoped(Visit()).into((any Plugin).self) }": Module {
                    Scoped(Visit()).into((any Plugin).self)
                },
                "Module { Scoped(Visit() as any Plugin).into((any Plugin).self) }": Module {
                    Scoped(Visit() as any Plugin).into((any Plugin).self)
                },
            ] as KeyValuePairs {
                let container = DIContainer {
                    module
                    Shared(Spelling()).into((any Plugin).self)
                    scoped
                }
                let finding = try only(container)
                #expect(finding.kind == .captiveDependency, "\(row)")
                #expect(finding.description.contains("needs any Plugin, which is scoped"), "\(row)")
            }
        }
    }

    @Test("A cycle through a collection is found once, and only its own edges are marked")
    func cycle() async throws {
        struct Wiki: Plugin { init(_ editor: Editor) {} }
        let container = DIContainer {
            Shared(autowiring: Editor.init)
            Shared(autowiring: Wiki.init).into((any Plugin).self)
            Shared(Spelling()).into((any Plugin).self)
        }
        #expect(try only(container).kind == .error(.cycle))
        #expect(await builtFindings(container).map(\.kind) == [.error(.cycle)])
        #expect(container.graph.mermaid().split(separator: "\n").count { $0.hasPrefix("  linkStyle") } == 3)
    }

    @Test("Replacing a contributed type is one warning")
    func replaced() throws {
        container.register(Shared(Spelling()).into((any Plugin).self))
        let finding = try only(container)
        #expect(finding.kind == .replaced && finding.key == "Spelling")
        let modules = DIContainer {
            Shared(Spelling() as any Plugin)
            Shared(Grammar() as any Plugin)
        }
        #expect(
            try only(modules).description.contains(
                "contribute both with `.into((any Plugin).self)`"))
    }

    @Test("An observer's events and paths say where a registration was contributed")
    func events() throws {
        let log = Locked<[String]>([])
        let container = DIContainer()
        container.observe { event in log.withLock { $0.append("\(event)") } }
        container.register(Shared(Grammar() as any Plugin).into((any Plugin).self))
        #expect(log.withLock { $0 }.first?.hasPrefix("registered any Plugin  (contributed at \(#fileID):") == true)
    }
}
