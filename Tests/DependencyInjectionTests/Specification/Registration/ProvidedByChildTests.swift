import DependencyInjection
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

    @Test("a fork copies it, and unregistering the type or a reset removes it")
    func removal() {
        let app = DIContainer { ProvidedByChild(Pool.self) }
        let fork = app.fork()
        let forkOfChild = app.makeChild().fork()
        #expect(fork.declaresPool && forkOfChild.declaresPool)
        fork.resetInstances()
        #expect(fork.declaresPool)
        fork.unregister(Pool.self)
        forkOfChild.reset()
        #expect(!fork.declaresPool && !forkOfChild.declaresPool && app.declaresPool)
        app.register(Shared(Pool()))
        app.unregister(Pool.self)
        #expect(!app.declaresPool)
    }

    // MARK: Instances cached by a parent

    @Test(
        "the error names the type that the parent caches, with and without a declaration",
        arguments: [false, true])
    func cachedByParent(isDeclared: Bool) throws {
        let app = DIContainer {
            if isDeclared { ProvidedByChild(Pool.self) }
            New(autowiring: Unit.init)
            Shared(as: (any Equatable).self) { resolve in "\(try resolve.orThrow(Unit.self))" }
            New { resolve in [try resolve.orThrow(String.self)] }
        }
        let child = app.makeChild { Shared(Pool()) }
        for (row, error) in [
            "the type": child.error(of: String.self), "an alias": child.error(of: (any Equatable).self),
            "a New": child.error(of: [String].self), "a grandchild": child.makeChild().error(of: String.self),
        ] as KeyValuePairs {
            #expect(error?.description.contains("fix: register String with `Scoped` or `New`") == true, "\(row)")
        }
    }

    @Test("a child's factory that resolves from the parent gets no advice about a cached type")
    func uncached() throws {
        let app = DIContainer { New(autowiring: Unit.init) }
        let child = app.makeChild {
            Shared(Pool())
            Shared { [app] _ in "\(try app.resolve.orThrow(Unit.self))" }
        }
        #expect(child.error(of: String.self)?.description.contains("fix: register Pool") == true)
    }

    @Test("an asynchronous Shared of the parent gets the same advice")
    func asynchronous() async throws {
        let app = DIContainer { Shared(async: { resolve in Unit(pool: try await resolve.async()) }) }
        let child = app.makeChild { Shared(Pool()) }
        let known = await #expect(throws: ResolutionError.self) { try await child.resolve.async(Unit.self) }
        #expect(known?.description.contains("fix: register Unit with `Scoped` or `New`") == true)
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

extension DIContainer {
    fileprivate var declaresPool: Bool { error(of: Pool.self)?.description.contains("declared at") == true }
}
