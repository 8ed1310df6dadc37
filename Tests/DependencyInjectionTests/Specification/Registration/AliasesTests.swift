import DependencyInjection
import Testing

@Suite("Rule 2: An alias shows the instance of its target", .serialized, .mayHang, .ownThread)
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
    }

    @Test("Registering the type again moves its aliases. Registering an alias's type again detaches only that alias")
    func detaching() throws {
        let container = DIContainer { Shared(Diesel(kind: "first"), as: (any Engine).self, (any Starter).self) }
        #expect(try container.resolve.orThrow((any Engine).self).kind == "first")
        container.register(Shared(Diesel(kind: "second")))
        #expect(try container.resolve.orThrow((any Engine).self).kind == "second")
        #expect(try container.resolve.orThrow((any Starter).self).kind == "second")
        let second = try container.resolve.orThrow(Diesel.self)
        container.register(Shared(Diesel(kind: "other") as any Engine))
        #expect(try container.resolve.orThrow((any Engine).self).kind == "other")
        #expect(try isSame(container.resolve.orThrow((any Starter).self), second))
        #expect(try container.resolve.orThrow(Diesel.self) === second)
        container.register(Shared(Diesel(kind: "third")))
        #expect(try container.resolve.orThrow((any Engine).self).kind == "other")
        #expect(try container.resolve.orThrow((any Starter).self).kind == "third")
    }

    @Test("Rules 2, 7: an alias of an alias follows both, and is decorated once for each instance")
    func chain() throws {
        let decorated = Counter()
        let container = DIContainer {
            Shared(Diesel(kind: "first") as any Engine, as: (any Starter).self)
            Shared(Diesel(kind: "second"), as: (any Engine).self)
        }
        #expect(try container.resolve.orThrow((any Starter).self).kind == "second")
        #expect(try isSame(container.resolve.orThrow((any Starter).self), container.resolve.orThrow(Diesel.self)))
        container.register(Shared(Diesel(kind: "third")))
        #expect(try container.resolve.orThrow((any Starter).self).kind == "third")
        container.register(Decorate((any Starter).self) { base, _ in decorated.counting(base) })
        for round in 0..<3 {
            let starter = try container.resolve.orThrow((any Starter).self)
            #expect(try isSame(starter, container.resolve.orThrow(Diesel.self)), "round \(round)")
        }
        #expect(decorated.count == 1)
    }

    @Test("An alias of the type itself changes nothing, and the last of two mutual aliases applies")
    func itselfAndMutual() throws {
        for (row, container) in [
            "itself": DIContainer { Shared(Diesel() as any Engine, as: (any Engine).self, (any Starter).self) },
            "mutual": DIContainer {
                Shared(Diesel() as any Engine, as: (any Starter).self)
                Shared(Diesel() as any Starter, as: (any Engine).self)
            },
        ] as KeyValuePairs {
            let engine = try container.resolve.orThrow((any Engine).self)
            #expect(try isSame(container.resolve.orThrow((any Starter).self), engine), "\(row)")
        }
    }

    @Test("An alias whose type was unregistered is an error that shows the alias")
    func dangling() throws {
        let container = DIContainer { Shared(Diesel(), as: (any Engine).self) }
        _ = try container.resolve.orThrow((any Engine).self)
        container.unregister(Diesel.self)
        let error = try #require(container.error(of: (any Engine).self))
        #expect(error.kind == "notRegistered" && error.key == "Diesel")
        #expect(error.path.map(\.id.description) == ["any Engine"])
    }

    @Test("Rule 16: aliases that forward to each other are a cycle")
    func circle() throws {
        let parent = DIContainer { Shared(Diesel() as any Engine, as: (any Starter).self) }
        let child = parent.makeChild { Shared(Diesel() as any Starter, as: (any Engine).self) }
        child.unregister((any Starter).self)
        for (row, error) in [
            "first": child.error(of: (any Engine).self), "second": child.error(of: (any Engine).self),
            // Arguments can end a recursion of factories, but not of aliases.
            "with arguments": failure { _ = try child.resolve.orThrow((any Engine).self, arguments: 1) },
        ] as KeyValuePairs {
            #expect(error?.kind == "cycle", "\(row)")
            #expect(error?.path.map(\.id.description) == ["any Engine", "any Starter"], "\(row)")
        }
        #expect(child.error(of: (any Starter).self)?.kind == "cycle")
        #expect(try isSame(parent.resolve.orThrow((any Starter).self), parent.resolve.orThrow((any Engine).self)))
    }

    @Test("Rules 2, 16: an alias may change from a Shared to a New with arguments")
    func recursionByAlias() throws {
        let container = DIContainer { Shared(Diesel(), as: (any Engine).self) }
        container.register {
            New { (resolve, depth: Int) -> Diesel in
                let inner = depth > 1 ? try resolve.orThrow((any Engine).self, arguments: depth - 1).kind : ""
                return Diesel(kind: "\(depth)\(inner)")
            }
        }
        #expect(try container.resolve.orThrow((any Engine).self, arguments: 3).kind == "321")
        #expect(failure { _ = try container.resolve.orThrow((any Engine).self, arguments: 300) }?.reason == .cycle)
    }

    // MARK: Forwarding

    @Test("The target's instance stores and releases an alias's decorated value", arguments: [false, true])
    func storedWithTarget(isScoped: Bool) {
        let registration: any RegistrationConvertible =
            isScoped ? Scoped(Diesel(), as: (any Engine).self) : Shared(Diesel(), as: (any Engine).self)
        let tuned = Counter()
        let container = DIContainer {
            registration
            tune(calls: tuned)
        }
        weak let first = container.resolve((any Engine).self) as? Tuned
        #expect(first != nil && container.resolve((any Engine).self) as? Tuned === first)
        #expect(tuned.count == 1)
        weak let target = container.resolve(Diesel.self)
        // After another decoration of the alias, the target remains, and the old decorated instance is released.
        container.register(tune())
        #expect(first == nil && target != nil)
        weak let second = container.resolve((any Engine).self) as? Tuned
        #expect(second?.kind == "tuned tuned diesel")
        // After another registration of the alias
        container.register(New(Diesel(kind: "other") as any Engine))
        #expect(second == nil && target != nil)
        // After another registration of the target
        container.register(registration, tune())
        weak let third = container.resolve((any Engine).self) as? Tuned
        #expect(third != nil)
        container.register(Shared(Diesel()))
        #expect(third == nil && target == nil)
    }

    @Test("Nothing stores a child's alias of an instance cached by its parent")
    func aliasBelowTheCache() throws {
        let released = Counter()
        let parent = DIContainer { Shared(Diesel()) }
        for round in 0..<10 {
            let child = parent.makeChild {
                Shared(Diesel(), as: (any Sendable).self)
                Decorate((any Sendable).self) { _, _ in Tracked(released) }
            }
            child.unregister(Diesel.self)
            #expect(try child.resolve.orThrow((any Sendable).self) is Tracked, "round \(round)")
            #expect(try child.resolve.orThrow((any Sendable).self) is Tracked, "round \(round)")
        }
        #expect(released.count == 20)
    }

    @Test("Nothing stores a decorated alias of another decorated alias")
    func aliasOfDecoratedAlias() throws {
        let container = DIContainer {
            Shared(Tuned(Diesel()) as any Engine, as: (any Sendable).self)
            // From here on, the first alias leads to the second one.
            Shared(Diesel(), as: (any Engine).self)
            tune()
            Decorate((any Sendable).self) { base, _ in Tuned(base as! any Engine) }
        }
        let first = try #require(container.resolve.orThrow((any Sendable).self) as? Tuned)
        let second = try #require(container.resolve.orThrow((any Sendable).self) as? Tuned)
        #expect(first.kind == "tuned tuned diesel" && first !== second)
        #expect(isSame(first.base, second.base))
        #expect(try isSame(first.base, container.resolve.orThrow((any Engine).self)))
    }

    @Test("Rule 9: a decorated alias of a Shared with arguments is decorated once")
    func arguments() throws {
        let container = DIContainer {
            Shared({ (_, kind: String) in Diesel(kind: kind) }, as: (any Engine).self)
            tune()
        }
        let first: any Engine = try container.resolve.orThrow("first")
        #expect(try isSame(first, container.resolve.orThrow((any Engine).self, arguments: "second")))
        #expect(try isSame(first, container.resolve.orThrow((any Engine).self)))
    }

    @Test("Rules 2, 12: a Weak's decorated alias is shared while it is retained")
    func decoratorOfWeak() throws {
        let built = Counter()
        let container = DIContainer {
            Weak(as: (any Engine).self) { _ in built.counting(Diesel()) }
            tune()
        }
        let held: any Engine = try container.resolve.orThrow()
        #expect(try isSame(held, container.resolve.orThrow((any Engine).self)))
        #expect(built.count == 1)
        #expect(whileBuilding(in: container) { isSame(container.resolve((any Engine).self), held) } == true)
    }
}

extension ExitTests {
    @Test("Rule 2: A New that doesn't conform to its alias fails, even if it replaces the default")
    static func argumentMismatchOfReplacedDefault() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<200 {
                DIContainer.shared = DIContainer {
                    New(as: (any Error).self) { _ -> Diesel in
                        DIContainer.shared = DIContainer { New("other") }
                        return Diesel()
                    }
                    for index in 0..<40 { Shared(index, name: RegistrationName("\(index)")) }
                }
                let error = failure { _ = try DIContainer.resolve.orThrow((any Error).self) }
                precondition(error?.reason == .typeMismatch)
            }
        }
    }
}
