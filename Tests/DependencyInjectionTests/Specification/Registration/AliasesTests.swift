import DependencyInjection
import Testing

@Suite("Rule 2: An alias shows the instance of its target")
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

    @Test("Registering the type again moves its aliases, even once resolved")
    func aliasesForward() throws {
        let container = DIContainer { Shared(Diesel(kind: "first"), as: (any Engine).self, (any Starter).self) }
        #expect(try container.resolve.orThrow((any Engine).self).kind == "first")
        container.register(Shared(Diesel(kind: "second")))
        #expect(try container.resolve.orThrow((any Engine).self).kind == "second")
        #expect(try container.resolve.orThrow((any Starter).self).start() == "start second")
    }

    @Test("Registering an alias's type again detaches only that alias")
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

    @Test("An alias of an alias forwards twice and follows both")
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
            Decorate((any Starter).self) { base, _ in decorated.counting(base) }
        }
        for round in 0..<3 {
            let starter = try container.resolve.orThrow((any Starter).self)
            #expect(try isSame(starter, container.resolve.orThrow(Diesel.self)), "round \(round)")
        }
        #expect(decorated.count == 1)
    }

    @Test("An alias of the registered type itself changes nothing")
    func itself() throws {
        let container = DIContainer { Shared(Diesel() as any Engine, as: (any Engine).self, (any Starter).self) }
        #expect(try isSame(container.resolve.orThrow((any Engine).self), container.resolve.orThrow((any Starter).self)))
    }

    @Test("The last of two registrations that alias each other applies")
    func mutual() throws {
        let container = DIContainer {
            Shared(Diesel() as any Engine, as: (any Starter).self)
            Shared(Diesel() as any Starter, as: (any Engine).self)
        }
        #expect(try isSame(container.resolve.orThrow((any Starter).self), container.resolve.orThrow((any Engine).self)))
    }

    @Test("An alias whose type was unregistered is an error that shows the alias")
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
        for round in 0..<2 {
            let error = try #require(failure { _ = try child.resolve.orThrow((any Engine).self) })
            #expect(error.kind == "cycle", "round \(round)")
            #expect(error.path.map(\.key) == ["any Engine", "any Starter"], "round \(round)")
        }
        // Arguments can end a recursion of factories, but not of aliases.
        let withArguments = failure { _ = try child.resolve.orThrow((any Engine).self, arguments: 1) }
        #expect(withArguments?.kind == "cycle")
        #expect(withArguments?.path.map(\.key) == ["any Engine", "any Starter"])
        #expect(failure { _ = try child.resolve.orThrow((any Starter).self) }?.kind == "cycle")
        #expect(try isSame(parent.resolve.orThrow((any Starter).self), parent.resolve.orThrow((any Engine).self)))
    }

    @Test("An initializer reference of a New serves its aliases with new instances")
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
    @Test("Rule 2: A New that doesn't conform to its alias fails, even if it replaces the default")
    static func argumentMismatchOfReplacedDefault() async {
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

@Suite("Rule 2: An alias shows the instance of its target (forwarding)", .serialized, .mayHang, .ownThread)
struct ForwardingTests {
    private let wrap = Decorate((any Engine).self) { base, _ in Tuned(base) }

    // MARK: Decorated aliases (rule 2)

    private func aliased(_ registration: any RegistrationConvertible) -> DIContainer {
        DIContainer { Module(registration) }
    }

    @Test("The target's instance stores and releases an alias's decorated value")
    func storedWithTarget() {
        let wrapped = Counter()
        func wrap() -> Decorate {
            Decorate((any Engine).self) { base, _ in wrapped.counting(Tuned(base)) }
        }
        for registration: any RegistrationConvertible in [
            Shared(Diesel(), as: (any Engine).self), Scoped(Diesel(), as: (any Engine).self),
        ] {
            let container = aliased(registration)
            container.register(wrap())
            let before = wrapped.count
            weak let first = container.resolve((any Engine).self) as? Tuned
            #expect(
                first != nil && container.resolve((any Engine).self) as? Tuned === first,
                "\(type(of: registration))")
            #expect(wrapped.count == before + 1, "\(type(of: registration))")
            weak let target = container.resolve(Diesel.self)
            // After another decoration of the alias, the target remains, and the old decorated instance is released.
            container.register(wrap())
            #expect(first == nil && target != nil, "\(type(of: registration))")
            weak let second = container.resolve((any Engine).self) as? Tuned
            #expect(second?.kind == "tuned tuned diesel", "\(type(of: registration))")
            // After another registration of the alias
            container.register(New(Diesel(kind: "other") as any Engine))
            #expect(second == nil && target != nil, "\(type(of: registration))")
            // After another registration of the target
            container.register(registration, wrap())
            weak let third = container.resolve((any Engine).self) as? Tuned
            #expect(third != nil, "\(type(of: registration))")
            container.register(Shared(Diesel()))
            #expect(third == nil && target == nil, "\(type(of: registration))")
        }
    }

    @Test("Nothing stores a child's alias of an instance cached by its parent")
    func aliasBelowTheCache() throws {
        let released = Counter()
        final class Tracked: Engine {
            let kind = "tracked"
            let released: Counter
            init(_ released: Counter) { self.released = released }
            deinit { released.increment() }
        }
        let parent = DIContainer { Shared(Diesel()) }
        for round in 0..<10 {
            let child = parent.makeChild {
                Shared(Diesel(), as: (any Engine).self)
                Decorate((any Engine).self) { _, _ in Tracked(released) }
            }
            child.unregister(Diesel.self)
            #expect(try child.resolve.orThrow((any Engine).self).kind == "tracked", "round \(round)")
            #expect(try child.resolve.orThrow((any Engine).self).kind == "tracked", "round \(round)")
        }
        #expect(released.count == 20)
    }

    @Test("Nothing stores a decorated alias of another decorated alias")
    func aliasOfDecoratedAlias() throws {
        let container = DIContainer {
            Shared(Tuned(Diesel()) as any Engine, as: (any Sendable).self)
            // From here on, the first alias leads to the second one.
            Shared(Diesel(), as: (any Engine).self)
            wrap
            Decorate((any Sendable).self) { base, _ in Tuned(base as! any Engine) }
        }
        let first = try container.resolve.orThrow((any Sendable).self) as? Tuned
        let second = try container.resolve.orThrow((any Sendable).self) as? Tuned
        #expect(first?.kind == "tuned tuned diesel" && first !== second)
        #expect(isSame(first!.base, second!.base))
        #expect(try isSame(first!.base, container.resolve.orThrow((any Engine).self)))
    }

    @Test("Rule 9: a decorated alias of a Shared with arguments is decorated once")
    func arguments() throws {
        let container = DIContainer {
            Shared({ (_, kind: String) in Diesel(kind: kind) }, as: (any Engine).self)
            wrap
            Shared(Ticket(number: 1), as: (any Sendable).self)
        }
        let first: any Engine = try container.resolve.orThrow("first")
        #expect(try isSame(first, container.resolve.orThrow((any Engine).self, arguments: "second")))
        #expect(try isSame(first, container.resolve.orThrow((any Engine).self)))
        for round in 0..<2 {
            #expect(
                failure { _ = try container.resolve.orThrow((any Sendable).self, arguments: 1) }?.kind
                    == "argumentMismatch", "round \(round)")
            _ = try container.resolve.orThrow((any Sendable).self)
        }
    }

    @Test("Rule 12: a decorated Weak lives until the graph that depends on it is complete")
    func decoratedWeak() throws {
        let wrapped = Counter()
        let container = DIContainer {
            Weak(Diesel() as any Engine)
            Decorate((any Engine).self) { base, _ in wrapped.counting(Tuned(base)) }
            New { resolve in
                let engine: any Engine = resolve()
                return [ObjectIdentifier(engine as AnyObject)]
            }
            New(name: "twice") { resolve -> [ObjectIdentifier] in
                let first: [ObjectIdentifier] = resolve()
                return first + resolve([ObjectIdentifier].self)
            }
        }
        let identities = try container.resolve.orThrow([ObjectIdentifier].self, name: "twice")
        #expect(identities[0] == identities[1] && wrapped.count == 1)
    }

    @Test("Rule C8: releasing a child in its parent's factory does not deadlock")
    func releasedInFactory() {
        for round in 0..<50 {
            let parent = DIContainer { Shared(Diesel() as any Engine) }
            let children = Locked<[DIContainer]>([parent.makeChild { Shared { resolve in Car(engine: resolve()) } }])
            let resolver = children.withLock { $0[0].resolve }
            parent.register(
                Shared { _ in
                    children.withLock { $0 = [] }
                    return Ticket(number: 1)
                })
            let results = onThreads(2) { index in
                index == 0 ? parent.resolve(Ticket.self).number : resolver(Car.self).engine.kind.count
            }
            #expect(Set(results) == [1, 6], "round \(round)")
        }
    }

    @Test("Rules 2, 12: a Weak's decorated alias is shared while it is retained")
    func decoratorOfWeak() throws {
        let built = Counter()
        let container = DIContainer {
            Weak(as: (any Engine).self) { _ in built.counting(Diesel()) }
            wrap
        }
        let held: any Engine = try container.resolve.orThrow()
        #expect(try isSame(held, container.resolve.orThrow((any Engine).self)))
        #expect(built.count == 1)
        #expect(whileBuilding(in: container) { isSame(container.resolve((any Engine).self), held) } == true)
    }
}
