import DependencyInjection
import Testing

@Suite("Aliases of another registration's instance", .serialized, .mayHang, .ownThread)
struct ForwardingTests {
    final class Wrapped: Engine {
        let base: any Engine
        init(_ base: any Engine) { self.base = base }
        var kind: String { "wrapped \(base.kind)" }
    }

    private let wrap = Decorate((any Engine).self) { base, _ in Wrapped(base) }

    @Test("Resetting a parent's instances leaves a child's Scoped instances alone")
    func parentReset() throws {
        let parent = DIContainer { Scoped(Diesel()) }
        let child = parent.makeChild()
        let scoped = try child.resolve.orThrow(Diesel.self)
        _ = try parent.resolve.orThrow(Diesel.self)
        parent.resetInstances()
        #expect(try child.resolve.orThrow(Diesel.self) === scoped)
    }

    // MARK: Decorated aliases (rule 2)

    private func aliased(_ registration: any RegistrationConvertible) -> DIContainer {
        DIContainer { Module(registration) }
    }

    @Test("Rule 2: the target's instance stores and releases an alias's decorated value")
    func storedWithTarget() {
        let wrapped = Counter()
        func wrap() -> Decorate {
            Decorate((any Engine).self) { base, _ in
                wrapped.increment()
                return Wrapped(base)
            }
        }
        for registration: any RegistrationConvertible in [
            Shared(Diesel(), as: (any Engine).self), Scoped(Diesel(), as: (any Engine).self),
        ] {
            let container = aliased(registration)
            container.register(wrap())
            let before = wrapped.count
            weak let first = container.resolve((any Engine).self) as? Wrapped
            #expect(first != nil && container.resolve((any Engine).self) as? Wrapped === first)
            #expect(wrapped.count == before + 1)
            weak let target = container.resolve(Diesel.self)
            // After another decoration of the alias, the target remains, and the old decorated instance is released.
            container.register(wrap())
            #expect(first == nil && target != nil)
            weak let second = container.resolve((any Engine).self) as? Wrapped
            #expect(second?.kind == "wrapped wrapped diesel")
            // After another registration of the alias
            container.register(New(Diesel(kind: "other") as any Engine))
            #expect(second == nil && target != nil)
            // After another registration of the target
            container.register(registration, wrap())
            weak let third = container.resolve((any Engine).self) as? Wrapped
            #expect(third != nil)
            container.register(Shared(Diesel()))
            #expect(third == nil && target == nil)
        }
    }

    @Test("Rule 2: nothing stores a child's alias of an instance cached by its parent")
    func aliasBelowTheCache() throws {
        let released = Counter()
        final class Tracked: Engine {
            let kind = "tracked"
            let released: Counter
            init(_ released: Counter) { self.released = released }
            deinit { released.increment() }
        }
        let parent = DIContainer { Shared(Diesel()) }
        for _ in 0..<10 {
            let child = parent.makeChild {
                Shared(Diesel(), as: (any Engine).self)
                Decorate((any Engine).self) { _, _ in Tracked(released) }
            }
            child.unregister(Diesel.self)
            #expect(try child.resolve.orThrow((any Engine).self).kind == "tracked")
            #expect(try child.resolve.orThrow((any Engine).self).kind == "tracked")
        }
        #expect(released.count == 20)
    }

    @Test("Rule 2: nothing stores a decorated alias of another decorated alias")
    func aliasOfDecoratedAlias() throws {
        let container = DIContainer {
            Shared(Wrapped(Diesel()) as any Engine, as: (any Sendable).self)
            // From here on, the first alias leads to the second one.
            Shared(Diesel(), as: (any Engine).self)
            wrap
            Decorate((any Sendable).self) { base, _ in Wrapped(base as! any Engine) }
        }
        let first = try container.resolve.orThrow((any Sendable).self) as? Wrapped
        let second = try container.resolve.orThrow((any Sendable).self) as? Wrapped
        #expect(first?.kind == "wrapped wrapped diesel" && first !== second)
        #expect(isSame(first!.base, second!.base))
        #expect(try isSame(first!.base, container.resolve.orThrow((any Engine).self)))
    }

    @Test("Rules 2, 7: threads that race for a decorated alias get one instance")
    func raceForAlias() {
        for isChild in [false, true] {
            for _ in 0..<raceRounds {
                let wrapped = Counter()
                let container = DIContainer {
                    Scoped(Diesel(), as: (any Engine).self)
                    Decorate((any Engine).self) { base, _ in
                        wrapped.increment()
                        return Wrapped(base)
                    }
                }
                let requested = isChild ? container.makeChild() : container
                let instances = onThreads(raceThreads) { _ in requested.resolve((any Engine).self) }
                #expect(instances.allSatisfy { isSame($0, instances[0]) } && wrapped.count == 1)
            }
        }
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
        for _ in 0..<2 {
            #expect(
                failure { _ = try container.resolve.orThrow((any Sendable).self, arguments: 1) }?.kind
                    == "argumentMismatch")
            _ = try container.resolve.orThrow((any Sendable).self)
        }
    }

    @Test("Rule 12: a decorated Weak lives until the graph that depends on it is complete")
    func decoratedWeak() throws {
        let wrapped = Counter()
        let container = DIContainer {
            Weak(Diesel() as any Engine)
            Decorate((any Engine).self) { base, _ in
                wrapped.increment()
                return Wrapped(base)
            }
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
        for _ in 0..<50 {
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
            #expect(Set(results) == [1, 6])
        }
    }

    @Test("Rules 2, 12: a Weak's decorated alias is shared while it is retained")
    func decoratorOfWeak() throws {
        let built = Counter()
        let container = DIContainer {
            Weak(as: (any Engine).self) { _ in
                built.increment()
                return Diesel()
            }
            wrap
        }
        let held: any Engine = try container.resolve.orThrow()
        #expect(try isSame(held, container.resolve.orThrow((any Engine).self)))
        #expect(built.count == 1)
        #expect(whileBuilding(in: container) { isSame(container.resolve((any Engine).self), held) } == true)
    }

    @Test("Rule 12: a Weak's alias that is decorated with a value is an error")
    func weakValue() throws {
        struct Value: Engine { let kind = "value" }
        let container = DIContainer {
            Weak(Diesel(), as: (any Engine).self)
            Decorate((any Engine).self) { _, _ in Value() }
        }
        #expect(failure { _ = try container.resolve.orThrow((any Engine).self) }?.kind == "weakValueType")
        #expect(try container.resolve.orThrow(Diesel.self).kind == "diesel")
    }
}
