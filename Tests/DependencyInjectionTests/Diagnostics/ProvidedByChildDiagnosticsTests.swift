import DependencyInjection
import DependencyInjectionDiagnostics
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
        child.register(Shared(Session(), name: "x"))
        #expect(child.registrations.map(\.isProvidedByChild) == [false, false])
    }

    @Test("has its own shape in diagrams and its own mark in the text, and isn't missing")
    func pictures() {
        let line: UInt = #line + 2
        let app = DIContainer {
            ProvidedByChild(Session.self)
            New(autowiring: Handler.init)
            New(autowiring: { (_: Provider<Session>, _: Session?, _: All<Session>) in 1 })
        }
        for graph in [app.graph, app.makeChild().graph] {
            #expect(graph.edges.map(\.to) == [0, 0, 0] && graph.edges.map(\.isDeferred) == [false, true, false])
            #expect(graph.mermaid().contains("\n  n0{{\"ProvidedByChild Session<br/>\(#fileID):\(line)\"}}\n"))
            #expect(graph.mermaid().contains("\n  n1 --> n0\n") && graph.mermaid().contains("\n  n2 -->|later| n0\n"))
            #expect(
                graph.dot().contains("\n  n0 [label=\"ProvidedByChild Session\\n\(#fileID):\(line)\", shape=hexagon]\n")
            )
            #expect(graph.description.contains("\n  ProvidedByChild Session"))
            #expect(graph.description.contains("\n  later: ProvidedByChild Session  (see above)"))
            #expect(!graph.description.contains("missing") && !graph.dot().contains("missing"))
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
        for container in [app, app.makeChild { Shared(Session()) }] {
            let finding = try only(container)
            #expect(finding.kind == .error(.notRegistered) && finding.key == "Session")
            let site = try #require(app.registrations.first { $0.key.hasPrefix("Site") })
            #expect(finding.line == site.line)
            #expect(
                finding.description.hasPrefix(
                    """
                    \(site.key) needs Session, which only children register, but their parent caches \(site.key).
                      registered at \(#fileID):\(site.line)

                    """))
            #expect(
                finding.description.hasSuffix(
                    "\n  fix: register \(site.key) with `Scoped` or `New`, so that the child builds it\n"
                        + "   or: register Session in the parent"))
            let ways: [[String]] = [[], [], ["Handler"], [], ["Page", "Handler"]]
            #expect(finding.path.map(\.key) == [site.key] + ways[form])
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
        for container in [child, child.makeChild()] {
            let finding = try only(container)
            #expect(finding.kind == .error(.notRegistered) && finding.path.map(\.key) == ["Site<Session>"])
            #expect(
                finding.description.hasPrefix(
                    """
                    Nothing is registered for Session, which Site<Session> needs.
                      declared at \(#fileID):\(line)

                    """))
            #expect(
                finding.description.contains(
                    "\n   or: declare it with `ProvidedByChild`, if each child registers it"))
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
        for container in [app, lacking] {
            let error = await #expect(throws: DIContainer.ValidationError.self) {
                try await container.validate(.building)
            }
            #expect(error?.findings.map(\.kind) == [.error(.notRegistered)])
        }
        let declared = DIContainer {
            ProvidedByChild(Session.self)
            Shared(autowiring: Handler.init)
        }
        let error = await #expect(throws: DIContainer.ValidationError.self) { try await declared.validate(.building) }
        #expect(error?.findings.count == 1)
    }
}
