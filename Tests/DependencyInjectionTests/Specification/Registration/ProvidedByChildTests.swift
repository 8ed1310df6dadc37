import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("Rule 22: A container can declare the types that its children register")
struct ProvidedByChildTests {
    private struct Session: Sendable, Equatable {
        var user = ""
    }

    private struct Handler: Sendable {
        let session: Session
        init(session: Session) { self.session = session }
    }

    private struct Page: Sendable {
        let handler: Handler
        init(handler: Handler) { self.handler = handler }
    }

    @Test("a declaration is not a registration and resolves to nothing, even in a child")
    func isNoRegistration() throws {
        let app = DIContainer { ProvidedByChild(Session.self) }
        for (row, container) in ["app": app, "app.makeChild()": app.makeChild()] as KeyValuePairs {
            #expect(!container.isRegistered(Session.self), "\(row)")
            #expect(try container.resolve.orThrow(Session?.self) == nil, "\(row)")
            #expect(try container.resolve.orThrow(Provider<Session>?.self) == nil, "\(row)")
            #expect(try container.resolve.orThrow.all(Session.self).isEmpty, "\(row)")
            #expect(failure { _ = try container.resolve.orThrow(Session.self) }?.reason == .notRegistered, "\(row)")
        }
    }

    @Test("a registration here, in a parent or a child takes precedence, in any order")
    func countsOnlyWhereNothingIsFound() throws {
        let session = Session(user: "ada")
        let before = DIContainer {
            Shared(session)
            ProvidedByChild(Session.self)
        }
        let after = DIContainer {
            ProvidedByChild(Session.self)
            Shared(session)
        }
        let inParent = DIContainer { Shared(session) }.makeChild { ProvidedByChild(Session.self) }
        let inChild = DIContainer { ProvidedByChild(Session.self) }.makeChild { Shared(session) }
        for (row, container) in ["before": before, "after": after, "inParent": inParent, "inChild": inChild]
            as KeyValuePairs
        {
            #expect(
                try container.resolve.orThrow(Session.self) == session
                    && container.resolve.orThrow.all(Session.self) == [session], "\(row)")
            #expect(container.isRegistered(Session.self), "\(row)")
        }
    }

    @Test("the error names the declaration and advises to register in a child")
    func text() throws {
        let line: UInt = #line + 2
        let app = DIContainer {
            ProvidedByChild(Session.self)
            New(autowiring: Handler.init)
            Shared(Session(), name: "other")
        }
        for (row, container) in ["app": app, "app.makeChild()": app.makeChild()] as KeyValuePairs {
            let error = try #require(failure { _ = try container.resolve.orThrow(Handler.self) })
            let text = error.description
            #expect(
                text.hasPrefix(
                    "Nothing is registered for ProvidedByChildTests.Session, which a child has to register.\n"),
                "\(row)")
            #expect(text.contains("\n  declared at \(#fileID):\(line)\n"), "\(row)")
            #expect(
                text.hasSuffix(
                    "\n  fix: register ProvidedByChildTests.Session in a child, and resolve from that child"
                ), "\(row)")
            #expect(
                error.suggestions.map { $0.prefix { $0 != "(" } } == ["ProvidedByChildTests.Session named \"other\"  "],
                "\(row)")
        }
    }

    @Test("a declaration under a name concerns that name only, and the nearest one is shown")
    func names() throws {
        let app = DIContainer { ProvidedByChild(Session.self, name: "x") }
        let line: UInt = #line + 1
        let child = app.makeChild { ProvidedByChild(Session.self, name: "x") }
        let named = try #require(failure { _ = try child.resolve.orThrow(Session.self, name: "x") })
        #expect(named.description.contains("\n  declared at \(#fileID):\(line)\n"))
        #expect(named.description.contains("register ProvidedByChildTests.Session named \"x\" in a child"))
        let plain = try #require(failure { _ = try child.resolve.orThrow(Session.self) })
        #expect(plain.description.hasPrefix("Nothing is registered for ProvidedByChildTests.Session.\n"))
        #expect(
            plain.description.hasSuffix(
                "\n   or: register ProvidedByChildTests.Session"))
    }

    @Test("several types can be declared in one line, in modules and twice")
    func forms() {
        let module = Module("Requests") { ProvidedByChild(Session.self, (any Engine).self) }
        let isOn = true
        let app = DIContainer {
            module
            if isOn { ProvidedByChild(Ticket.self, name: "x") }
        }
        for _ in 0..<2 { app.register(ProvidedByChild(Int.self)) }
        #expect(app.registrations.allSatisfy { $0.replaced == nil })
        let texts = app.registrations.map { $0.description.prefix { $0 != "(" } }
        #expect(
            texts == [
                "ProvidedByChild ProvidedByChildTests.Session, in Requests  ",
                "ProvidedByChild any Engine, in Requests  ",
                "ProvidedByChild Ticket named \"x\"  ", "ProvidedByChild Int  ",
            ])
    }

    private func isDeclared(in container: DIContainer) -> Bool {
        failure { _ = try container.resolve.orThrow(Session.self) }?.description.contains("declared at") == true
    }

    @Test("a fork copies it, and unregistering the type or a reset removes it")
    func removal() {
        let app = DIContainer { ProvidedByChild(Session.self) }
        let fork = app.fork()
        let forkOfChild = app.makeChild().fork()
        #expect(isDeclared(in: fork) && isDeclared(in: forkOfChild))
        fork.resetInstances()
        #expect(isDeclared(in: fork))
        fork.unregister(Session.self)
        forkOfChild.reset()
        #expect(!isDeclared(in: fork) && !isDeclared(in: forkOfChild) && isDeclared(in: app))
        app.register(Shared(Session()))
        app.unregister(Session.self)
        #expect(!isDeclared(in: app))
    }

    // MARK: Instances cached by a parent

    @Test("a parent's Shared with a child's dependency gets advice for Scoped or New")
    func cachedByParent() throws {
        let app = DIContainer {
            Shared(autowiring: Handler.init, as: (any Sendable).self)
            New(autowiring: Page.init)
        }
        let child = app.makeChild { Shared(Session()) }
        let grandchild = child.makeChild()
        for request: (DIContainer) throws -> Void in [
            { _ = try $0.resolve.orThrow(Handler.self) }, { _ = try $0.resolve.orThrow(Page.self) },
            { _ = try $0.resolve.orThrow((any Sendable).self) },
        ] {
            for (row, container) in ["child": child, "grandchild": grandchild] as KeyValuePairs {
                let text = try #require(failure { try request(container) }).description
                #expect(text.contains("in the container that caches ProvidedByChildTests.Handler, and"), "\(row)")
                #expect(text.contains("fix: register ProvidedByChildTests.Handler with `Scoped` or `New`"), "\(row)")
            }
            // None of these containers registers the type.
            for (row, container) in ["app": app, "app.makeChild()": app.makeChild()] as KeyValuePairs {
                let text = try #require(failure { try request(container) }).description
                #expect(text.contains("fix: register ProvidedByChildTests.Session"), "\(row)")
            }
        }
    }

    @Test("the error names the type that the parent caches, even behind a New")
    func cachingRegistration() throws {
        let app = DIContainer {
            New(autowiring: Handler.init)
            Weak { resolve in [try resolve.orThrow(Page.self).handler.session.user].count as Int }
            New(autowiring: Page.init)
        }
        app.register(Shared { resolve in "\(try resolve.orThrow(Page.self))" })
        let child = app.makeChild {
            Shared(Session())
            Shared { resolve in Double(try resolve.orThrow(String.self)) ?? 0 }
        }
        let text = try #require(failure { _ = try child.resolve.orThrow(Double.self) }).description
        #expect(text.contains("fix: register String with `Scoped` or `New`"))
        // The child's own factory resolves from the parent, which caches nothing here.
        child.register(Shared { [app] _ in Float(try app.resolve.orThrow(Page.self).handler.session.user) ?? 0 })
        let direct = try #require(failure { _ = try child.resolve.orThrow(Float.self) }).description
        #expect(direct.contains("fix: register ProvidedByChildTests.Session"))
    }

    @Test("an asynchronous Shared of the parent gets the same advice")
    func asynchronous() async throws {
        let app = DIContainer { Shared(async: { resolve in Handler(session: try await resolve.async()) }) }
        let child = app.makeChild { Shared(Session()) }
        let known = await #expect(throws: ResolutionError.self) { try await child.resolve.async(Handler.self) }
        #expect(
            known?.description.contains("fix: register ProvidedByChildTests.Handler with `Scoped` or `New`") == true)
        let unknown = await #expect(throws: ResolutionError.self) { try await app.resolve.async(Handler.self) }
        #expect(unknown?.description.contains("fix: register ProvidedByChildTests.Session") == true)
    }

    @Test("a parent's Shared with a dependency provided by children gets that advice")
    func cachedAndDeclared() throws {
        let line: UInt = #line + 2
        let app = DIContainer {
            ProvidedByChild(Session.self)
            Shared(autowiring: Handler.init)
        }
        for (row, container) in [
            "app": app, "app.makeChild()": app.makeChild(),
            "app.makeChild { Shared(Session()) }": app.makeChild { Shared(Session()) },
        ] as KeyValuePairs {
            let text = try #require(failure { _ = try container.resolve.orThrow(Handler.self) }).description
            #expect(text.contains("fix: register ProvidedByChildTests.Handler with `Scoped` or `New`"), "\(row)")
            #expect(text.contains("\n  declared at \(#fileID):\(line)\n"), "\(row)")
        }
    }

    @Test("a child's cached type gets advice to register its parent's declaration")
    func cachedByChild() throws {
        let parent = DIContainer { ProvidedByChild(Ticket.self) }
        let child = parent.makeChild { Shared { resolve in "\(try resolve.orThrow(Ticket.self).number)" } }
        let text = try #require(failure { _ = try child.resolve.orThrow(String.self) }).description
        #expect(text.contains("which a child has to register"), "\(text)")
        #expect(!text.contains("Scoped"), "\(text)")
    }
}
