import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("Rule 22: A container can declare the types that its children register")
struct ProvidedByChildTests {
    @Test("a declaration is not a registration and resolves to nothing, even in a child")
    func isNoRegistration() throws {
        let app = DIContainer { ProvidedByChild(Ticket.self) }
        for (row, container) in ["app": app, "app.makeChild()": app.makeChild()] as KeyValuePairs {
            #expect(!container.isRegistered(Ticket.self), "\(row)")
            #expect(try container.resolve.orThrow(Ticket?.self) == nil, "\(row)")
            #expect(try container.resolve.orThrow(Provider<Ticket>?.self) == nil, "\(row)")
            #expect(try container.resolve.orThrow.all(Ticket.self).isEmpty, "\(row)")
            #expect(container.error(of: Ticket.self)?.reason == .notRegistered, "\(row)")
        }
    }

    @Test("a registration here, in a parent or a child takes precedence, in any order")
    func countsOnlyWhereNothingIsFound() throws {
        let ticket = Ticket(number: 1)
        for (row, container) in [
            "before": DIContainer { Module(Shared(ticket), ProvidedByChild(Ticket.self)) },
            "after": DIContainer { Module(ProvidedByChild(Ticket.self), Shared(ticket)) },
            "in the parent": DIContainer { Shared(ticket) }.makeChild { ProvidedByChild(Ticket.self) },
            "in the child": DIContainer { ProvidedByChild(Ticket.self) }.makeChild { Shared(ticket) },
        ] as KeyValuePairs {
            #expect(try container.resolve.orThrow(Ticket.self) == ticket, "\(row)")
            #expect(try container.resolve.orThrow.all(Ticket.self) == [ticket], "\(row)")
            #expect(container.isRegistered(Ticket.self), "\(row)")
        }
    }

    @Test("the error names the declaration and advises to register in a child")
    func text() throws {
        let line: UInt = #line + 2
        let app = DIContainer {
            ProvidedByChild(Pool.self)
            New(autowiring: Unit.init)
            Shared(Pool(), name: "other")
        }
        for (row, container) in ["app": app, "app.makeChild()": app.makeChild()] as KeyValuePairs {
            let error = try #require(container.error(of: Unit.self))
            let message = Message(error.description, from: line)
            #expect(message.problem == "Nothing is registered for Pool, which a child has to register.", "\(row)")
            #expect(error.description.contains("\n  declared at \(#fileID):\(line)\n"), "\(row)")
            #expect(message.fixes == ["register Pool in a child, and resolve from that child"], "\(row)")
            #expect(message.similar == ["Pool named \"other\"  (registered at +2)"], "\(row)")
        }
    }

    @Test("a declaration under a name concerns that name only, and the nearest one is shown")
    func names() throws {
        let app = DIContainer { ProvidedByChild(Ticket.self, name: "x") }
        let line: UInt = #line + 1
        let child = app.makeChild { ProvidedByChild(Ticket.self, name: "x") }
        let named = try #require(child.error(of: Ticket.self, name: "x")).description
        #expect(named.contains("\n  declared at \(#fileID):\(line)\n"))
        #expect(named.contains("register Ticket named \"x\" in a child"))
        let plain = try #require(child.error(of: Ticket.self)).description
        #expect(plain.hasPrefix("Nothing is registered for Ticket.\n"))
        #expect(plain.hasSuffix("\n   or: register Ticket"))
    }

    @Test("several types can be declared in one line, in modules and twice")
    func forms() {
        let module = Module("Requests") { ProvidedByChild(Pool.self, (any Engine).self) }
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
                "ProvidedByChild Pool, in Requests  ", "ProvidedByChild any Engine, in Requests  ",
                "ProvidedByChild Ticket named \"x\"  ", "ProvidedByChild Int  ",
            ])
    }

    @Test("a fork copies it, and unregistering the type or a reset removes it")
    func removal() {
        func isDeclared(in container: DIContainer) -> Bool {
            container.error(of: Pool.self)?.description.contains("declared at") == true
        }
        let app = DIContainer { ProvidedByChild(Pool.self) }
        let fork = app.fork()
        let forkOfChild = app.makeChild().fork()
        #expect(isDeclared(in: fork) && isDeclared(in: forkOfChild))
        fork.resetInstances()
        #expect(isDeclared(in: fork))
        fork.unregister(Pool.self)
        forkOfChild.reset()
        #expect(!isDeclared(in: fork) && !isDeclared(in: forkOfChild) && isDeclared(in: app))
        app.register(Shared(Pool()))
        app.unregister(Pool.self)
        #expect(!isDeclared(in: app))
    }

    // MARK: Instances cached by a parent

    /// A type that depends on the unit.
    private let page = New(autowiring: { (_: Unit) in Connection("page") })

    @Test("a parent's Shared with a child's dependency gets advice for Scoped or New")
    func cachedByParent() throws {
        let app = DIContainer {
            Shared(autowiring: Unit.init, as: (any Sendable).self)
            page
        }
        func texts(_ container: DIContainer) -> [String] {
            let errors = [
                container.error(of: Unit.self), container.error(of: Connection.self),
                container.error(of: (any Sendable).self),
            ]
            return errors.map { $0?.description ?? "no error" }
        }
        let child = app.makeChild { Shared(Pool()) }
        for (row, container) in ["child": child, "grandchild": child.makeChild()] as KeyValuePairs {
            let isCached = texts(container).map { $0.contains("in the container that caches Unit, and") }
            let isAdvised = texts(container).map { $0.contains("fix: register Unit with `Scoped` or `New`") }
            #expect(isCached == [true, true, true] && isAdvised == [true, true, true], "\(row)")
        }
        // None of these containers registers the type.
        for (row, container) in ["app": app, "app.makeChild()": app.makeChild()] as KeyValuePairs {
            #expect(texts(container).map { $0.contains("fix: register Pool") } == [true, true, true], "\(row)")
        }
    }

    @Test("the error names the type that the parent caches, even behind a New")
    func cachingRegistration() throws {
        let app = DIContainer {
            New(autowiring: Unit.init)
            Weak { resolve in try resolve.orThrow(Connection.self).name.count as Int }
            page
        }
        app.register(Shared { resolve in "\(try resolve.orThrow(Connection.self))" })
        let child = app.makeChild {
            Shared(Pool())
            Shared { resolve in Double(try resolve.orThrow(String.self)) ?? 0 }
        }
        let text = try #require(child.error(of: Double.self)).description
        #expect(text.contains("fix: register String with `Scoped` or `New`"))
        // The child's own factory resolves from the parent, which caches nothing here.
        child.register(Shared { [app] _ in Float(try app.resolve.orThrow(Connection.self).name.count) })
        let direct = try #require(child.error(of: Float.self)).description
        #expect(direct.contains("fix: register Pool"))
    }

    @Test("an asynchronous Shared of the parent gets the same advice")
    func asynchronous() async throws {
        let app = DIContainer { Shared(async: { resolve in Unit(pool: try await resolve.async()) }) }
        let child = app.makeChild { Shared(Pool()) }
        let known = await #expect(throws: ResolutionError.self) { try await child.resolve.async(Unit.self) }
        #expect(known?.description.contains("fix: register Unit with `Scoped` or `New`") == true)
        let unknown = await #expect(throws: ResolutionError.self) { try await app.resolve.async(Unit.self) }
        #expect(unknown?.description.contains("fix: register Pool") == true)
    }

    @Test("a parent's Shared with a dependency provided by children gets that advice")
    func cachedAndDeclared() throws {
        let line: UInt = #line + 2
        let app = DIContainer {
            ProvidedByChild(Pool.self)
            Shared(autowiring: Unit.init)
        }
        for (row, container) in [
            "app": app, "child": app.makeChild(), "child with the type": app.makeChild { Shared(Pool()) },
        ] as KeyValuePairs {
            let text = try #require(container.error(of: Unit.self)).description
            #expect(text.contains("fix: register Unit with `Scoped` or `New`"), "\(row)")
            #expect(text.contains("\n  declared at \(#fileID):\(line)\n"), "\(row)")
        }
    }

    @Test("a child's cached type gets advice to register its parent's declaration")
    func cachedByChild() throws {
        let parent = DIContainer { ProvidedByChild(Ticket.self) }
        let child = parent.makeChild { Shared { resolve in "\(try resolve.orThrow(Ticket.self).number)" } }
        let text = try #require(child.error(of: String.self)).description
        #expect(text.contains("which a child has to register"), "\(text)")
        #expect(!text.contains("Scoped"), "\(text)")
    }
}
