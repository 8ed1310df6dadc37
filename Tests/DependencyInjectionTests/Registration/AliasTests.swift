import DependencyInjection
import Testing

@Suite("Aliases")
struct AliasTests {
    @Test("Rules 2, 11: aliases, type, name, Optional and provider share one instance")
    func oneInstance() throws {
        let container = DIContainer { Shared(Diesel.init, name: "main", as: (any Engine).self, (any Starter).self) }
        let instance = try container.resolve.orThrow(Diesel.self, name: "main")
        #expect(try isSame(container.resolve.orThrow((any Engine).self, name: "main"), instance))
        #expect(try isSame(container.resolve.orThrow((any Starter).self, name: "main"), instance))
        let optional: (any Engine)? = try container.resolve.orThrow(name: "main")
        #expect(isSame(optional!, instance))
        let provider: Provider<any Starter> = try container.resolve.orThrow(name: "main")
        #expect(isSame(provider(), instance))
        #expect(try isSame(container.resolve.orThrow((any Engine).self, name: "main"), instance))
    }

    @Test("Rule 2: registering the type again moves its aliases, even once resolved")
    func aliasesForward() throws {
        let container = DIContainer { Shared(Diesel(kind: "first"), as: (any Engine).self, (any Starter).self) }
        #expect(try container.resolve.orThrow((any Engine).self).kind == "first")
        container.register(Shared(Diesel(kind: "second")))
        #expect(try container.resolve.orThrow((any Engine).self).kind == "second")
        #expect(try container.resolve.orThrow((any Starter).self).start() == "start second")
    }

    @Test("Rule 2: registering an alias's type again detaches only that alias")
    func detaching() throws {
        let container = DIContainer { Shared(Diesel(kind: "first"), as: (any Engine).self, (any Starter).self) }
        let first = try container.resolve.orThrow(Diesel.self)
        _ = try container.resolve.orThrow((any Engine).self)
        container.register(Shared(Diesel(kind: "other") as any Engine))
        #expect(try container.resolve.orThrow((any Engine).self).kind == "other")
        #expect(try isSame(container.resolve.orThrow((any Starter).self), first))
        #expect(try isSame(container.resolve.orThrow(Diesel.self), first))
        container.register(Shared(Diesel(kind: "second")))
        #expect(try container.resolve.orThrow((any Engine).self).kind == "other")
        #expect(try container.resolve.orThrow((any Starter).self).start() == "start second")
    }

    @Test("Rule 2: an alias of an alias forwards twice and follows both")
    func chain() throws {
        let container = DIContainer {
            Shared(Diesel(kind: "first") as any Engine, as: (any Starter).self)
            Shared(Diesel(kind: "second"), as: (any Engine).self)
        }
        #expect(try container.resolve.orThrow((any Starter).self).start() == "start second")
        #expect(try isSame(container.resolve.orThrow((any Starter).self), container.resolve.orThrow(Diesel.self)))
        container.register(Shared(Diesel(kind: "third")))
        #expect(try container.resolve.orThrow((any Starter).self).start() == "start third")
    }

    @Test("Rules 2, 7: decorators of an alias of an alias run once for each instance")
    func decoratedChain() throws {
        let decorated = Counter()
        let container = DIContainer {
            Shared(Diesel() as any Engine, as: (any Starter).self)
            Shared(Diesel(), as: (any Engine).self)
            Decorate((any Starter).self) { base, _ in
                decorated.increment()
                return base
            }
        }
        for _ in 0..<3 {
            let starter = try container.resolve.orThrow((any Starter).self)
            #expect(try isSame(starter, container.resolve.orThrow(Diesel.self)))
        }
        #expect(decorated.count == 1)
    }

    @Test("Rule 2: an alias of the registered type itself changes nothing")
    func itself() throws {
        let container = DIContainer { Shared(Diesel() as any Engine, as: (any Engine).self, (any Starter).self) }
        #expect(try isSame(container.resolve.orThrow((any Engine).self), container.resolve.orThrow((any Starter).self)))
    }

    @Test("Rule 2: the last of two registrations that alias each other applies")
    func mutual() throws {
        let container = DIContainer {
            Shared(Diesel() as any Engine, as: (any Starter).self)
            Shared(Diesel() as any Starter, as: (any Engine).self)
        }
        #expect(try isSame(container.resolve.orThrow((any Starter).self), container.resolve.orThrow((any Engine).self)))
    }

    @Test("Rule 2: an alias whose type was unregistered is an error that shows the alias")
    func dangling() throws {
        let container = DIContainer { Shared(Diesel(), as: (any Engine).self) }
        _ = try container.resolve.orThrow((any Engine).self)
        container.unregister(Diesel.self)
        let error = try #require(failure { _ = try container.resolve.orThrow((any Engine).self) })
        #expect(error.kind == "notRegistered")
        #expect(error.key == "Diesel")
        #expect(error.path.map(\.key) == ["any Engine"])
    }

    @Test("Rule 16: aliases that forward to each other are a cycle")
    func circle() throws {
        let parent = DIContainer { Shared(Diesel() as any Engine, as: (any Starter).self) }
        let child = parent.makeChild { Shared(Diesel() as any Starter, as: (any Engine).self) }
        child.unregister((any Starter).self)
        for _ in 0..<2 {
            let error = try #require(failure { _ = try child.resolve.orThrow((any Engine).self) })
            #expect(error.kind == "cycle")
            #expect(error.path.map(\.key) == ["any Engine", "any Starter"])
        }
        // Arguments can end a recursion of factories, but not of aliases.
        let withArguments = failure { _ = try child.resolve.orThrow((any Engine).self, arguments: 1) }
        #expect(withArguments?.kind == "cycle")
        #expect(withArguments?.path.map(\.key) == ["any Engine", "any Starter"])
        #expect(failure { _ = try child.resolve.orThrow((any Starter).self) }?.kind == "cycle")
        #expect(try isSame(parent.resolve.orThrow((any Starter).self), parent.resolve.orThrow((any Engine).self)))
    }

    @Test("Rule 2: an initializer reference of a New serves its aliases with new instances")
    func newInitializer() throws {
        let container = DIContainer { New(Diesel.init, name: "main", as: (any Engine).self, (any Starter).self) }
        let engine = try container.resolve.orThrow((any Engine).self, name: "main")
        let starter = try container.resolve.orThrow((any Starter).self, name: "main")
        #expect(engine.kind == "diesel" && starter.start() == "start diesel" && !isSame(engine, starter))
        #expect(try !isSame(engine, container.resolve.orThrow((any Engine).self, name: "main")))
        #expect(!container.isRegistered((any Engine).self))
    }

    @Test("A New that doesn't conform to its alias is built once, and named in the error")
    func argumentMismatch() {
        let built = Counter()
        let line: UInt = #line + 2
        let container = DIContainer {
            New(
                { _ in
                    built.increment(); return Diesel()
                }, as: (any Error).self)
        }
        let error = failure { _ = try container.resolve.orThrow((any Error).self) }
        #expect(error?.reason == .typeMismatch && built.count == 1)
        #expect(error?.description.contains("registered at \(#fileID):\(line)") == true)
    }

    @Test("Rules 2, 16: an alias may change from a Shared to a New with arguments")
    func recursionByAlias() throws {
        protocol Chain: Sendable { var length: Int { get } }
        final class Link: Chain {
            let next: (any Chain)?
            init(_ next: (any Chain)?) { self.next = next }
            var length: Int { 1 + (next?.length ?? 0) }
        }
        let container = DIContainer { Shared(Link(nil), as: (any Chain).self) }
        container.register {
            New { resolve, depth in
                Link(depth > 1 ? try resolve.orThrow((any Chain).self, arguments: depth - 1) : nil)
            }
        }
        #expect(try container.resolve.orThrow((any Chain).self, arguments: 3).length == 3)
        #expect(failure { _ = try container.resolve.orThrow((any Chain).self, arguments: 300) }?.reason == .cycle)
    }
}

extension ExitTests {
    @Suite("Aliases, in another process") struct AliasExitTests {}
}

extension ExitTests.AliasExitTests {
    @Test("A New that doesn't conform to its alias fails, even if it replaces the default")
    func argumentMismatchOfReplacedDefault() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<200 {
                DIContainer.shared = DIContainer {
                    New(
                        { _ -> Diesel in
                            DIContainer.shared = DIContainer { New("other") }
                            return Diesel()
                        }, as: (any Error).self)
                    for index in 0..<40 { Shared(index, name: RegistrationName("\(index)")) }
                }
                let error = failure { _ = try DIContainer.resolve.orThrow((any Error).self) }
                precondition(error?.reason == .typeMismatch)
            }
        }
    }
}
