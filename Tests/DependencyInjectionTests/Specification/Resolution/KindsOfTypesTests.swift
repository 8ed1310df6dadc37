import DependencyInjection
import Testing

private struct Petrol: Engine { let kind = "petrol" }

@Suite("Rule 12: Every kind of type can be registered", .mayHang)
struct KindsOfTypesTests {
    @Test("Value types, enums, metatypes, closures, generics, Any and AnyObject work like classes")
    func kindsOfTypes() throws {
        let container = DIContainer {
            Shared(Ticket(number: 4))
            Shared(FloatingPointSign.minus)
            Shared(Diesel.self as any Engine.Type)
            Shared({ $0 + 1 } as @Sendable (Int) -> Int, name: "closure")
            Shared(Dependent(1))
            Shared(Dependent("s"))
            Shared([1, 2, 3])
            Shared((1, "tuple"))
            Shared(7 as any Sendable & Equatable)
            New(8 as Any)
            New(Diesel() as AnyObject)
        }
        #expect(try container.resolve.orThrow(Ticket.self).number == 4)
        #expect(try container.resolve.orThrow(FloatingPointSign.self) == .minus)
        let metatype: any Engine.Type = try container.resolve.orThrow()
        #expect(metatype is Diesel.Type)
        #expect(try container.resolve.orThrow((@Sendable (Int) -> Int).self, name: "closure")(1) == 2)
        #expect(try container.resolve.orThrow(Dependent<Int>.self).dependency == 1)
        #expect(try container.resolve.orThrow(Dependent<String>.self).dependency == "s")
        #expect(try container.resolve.orThrow([Int].self) == [1, 2, 3])
        #expect(try container.resolve.orThrow((Int, String).self).1 == "tuple")
        #expect(try container.resolve.orThrow((any Sendable & Equatable).self) as? Int == 7)
        #expect(try container.resolve.orThrow(Any.self) as? Int == 8)
        #expect(try container.resolve.orThrow(AnyObject?.self) is Diesel)
        #expect(!container.isRegistered(Int.self) && !container.isRegistered(Diesel.self))
    }

    // MARK: Weak instances

    @Test("An instance is shared while other code retains it, and then rebuilt")
    func lifetime() throws {
        let built = Counter()
        let container = DIContainer { Weak(as: (any Engine).self) { _ in built.counting(Diesel()) } }
        var held: Diesel? = try container.resolve.orThrow()
        #expect(try held === container.resolve.orThrow(Diesel.self))
        #expect(try isSame(container.resolve.orThrow((any Engine).self), held!))
        #expect(built.count == 1)
        weak let gone = held
        held = nil
        #expect(gone == nil)
        held = try container.resolve.orThrow((any Engine).self) as? Diesel
        #expect(built.count == 2)
        #expect(try held === container.resolve.orThrow(Diesel.self))
    }

    @Test("Protocols and actors can be weak, and a value type is an error at the first build")
    func kinds() throws {
        actor Store { let number = 1 }
        let container = DIContainer {
            Weak(Diesel() as any Engine)
            Weak(Store())
            Weak(Ticket(number: 1))
            Weak(Petrol() as any Engine, name: "value")
        }
        let (engine, store) = try (container.resolve.orThrow((any Engine).self), container.resolve.orThrow(Store.self))
        #expect(try isSame(engine, container.resolve.orThrow((any Engine).self)))
        #expect(try store === container.resolve.orThrow(Store.self))
        #expect(container.error(of: Ticket.self)?.kind == "weakValueType")
        #expect(container.error(of: (any Engine).self, name: "value")?.kind == "weakValueType")
    }

    /// Requests an instance twice, without retaining it in between. Returns whether both are one instance.
    private static func isOne(_ resolve: Resolver, between work: () -> Void = {}) -> Bool {
        let first = ObjectIdentifier(resolve(Diesel.self))
        work()
        // Otherwise another instance could have the address of the first.
        _ = [Diesel(), Diesel(), Diesel()]
        return first == ObjectIdentifier(resolve(Diesel.self))
    }

    @Test("An instance lives until the graph that depends on it is complete, even if other code releases it")
    func graph() throws {
        let built = Counter()
        let held = Locked<Diesel?>(nil)
        let container = DIContainer {
            Weak { _ in built.counting(Diesel()) }
            New { resolve in Self.isOne(resolve) }
            Shared(name: "shared") { resolve in Self.isOne(resolve) }
            New(name: "released") { resolve in Self.isOne(resolve) { held.withLock { $0 = nil } } }
        }
        #expect(try container.resolve.orThrow(Bool.self) && built.count == 1)
        #expect(try container.resolve.orThrow(Bool.self, name: "shared") && built.count == 2)
        weak let between = try container.resolve.orThrow(Diesel.self)
        #expect(between == nil && built.count == 3)
        held.withLock { $0 = container.resolve() }
        #expect(try container.resolve.orThrow(Bool.self, name: "released") && built.count == 4)
        weak let after = try container.resolve.orThrow(Diesel.self)
        #expect(after == nil && built.count == 5)
    }

    @Test("The decorated alias of an instance lives until the graph is complete, even if other code releases it")
    func decoratedAliasInGraph() throws {
        let tuned = Counter()
        let held = Locked<(any Engine)?>(nil)
        let container = DIContainer {
            Weak(Diesel(), as: (any Engine).self)
            tune(calls: tuned)
            New { resolve in
                _ = resolve((any Engine).self)
                held.withLock { $0 = nil }
                _ = resolve((any Engine).self)
                return tuned.count
            }
        }
        #expect(try container.resolve.orThrow(Int.self) == 1)
        held.withLock { $0 = container.resolve() }
        #expect(tuned.count == 2)
        #expect(try container.resolve.orThrow(Int.self) == 2)
    }

    @Test("A request releases its instances in reverse order of construction")
    func releasedInOrder() throws {
        let log = Log()
        let container = DIContainer {
            for number in 1...6 { Weak(ReleaseAction { log.add("\(number)") }, name: "\(number)") }
            New { resolve in
                let before = log.all.count
                for number in [3, 1, 6, 2, 5, 4] { _ = resolve(ReleaseAction.self, name: "\(number)") }
                return log.all.count == before
            }
        }
        // The order must not depend on addresses.
        for round in 1...20 {
            #expect(try container.resolve.orThrow(Bool.self), "round \(round)")
            #expect(log.all.suffix(6) == ["4", "5", "2", "6", "1", "3"], "round \(round)")
        }
        #expect(log.all.count == 120)
    }

    @Test("An instance that one factory resolves repeatedly is retained once")
    func manyRequests() throws {
        let container = DIContainer {
            Weak(Diesel(), as: (any Engine).self)
            New { resolve in
                let engine = resolve(Diesel.self)
                let before = _getRetainCount(engine)
                for _ in 0..<1_000 {
                    _ = resolve(Diesel.self)
                    _ = resolve((any Engine).self)
                }
                return Ticket(number: Int(_getRetainCount(engine)) - Int(before))
            }
        }
        // The number of references is exact, but the used memory depends on the allocator and on sanitizers.
        #expect(try container.resolve.orThrow(Ticket.self).number < 20)
    }

    @Test("A decorator of a Weak or its alias must not return a value")
    func decoratedAsValue() throws {
        let parent = DIContainer {
            Weak(Diesel() as any Engine)
            Weak(Diesel(), name: "aliased", as: (any Engine).self)
            Decorate((any Engine).self) { _, _ in Petrol() }
            Decorate((any Engine).self, name: "aliased") { _, _ in Petrol() }
        }
        for (row, container) in ["child": parent.makeChild(), "parent": parent] as KeyValuePairs {
            for name: RegistrationName? in [nil, "aliased"] {
                let error = container.error(of: (any Engine).self, name: name)
                #expect(error?.kind == "weakValueType", "\(row) \(name)")
                #expect(error?.description.contains("Petrol is a value") == true, "\(row) \(name)")
            }
        }
        #expect(try parent.resolve.orThrow(Diesel.self, name: "aliased").kind == "diesel")
    }

    // MARK: Weak instances in asynchronous graphs

    /// Requests a type twice, without retaining the instance in between.
    @Sendable private static func requestTwice(_ resolve: Resolver) async -> Ticket {
        _ = resolve(Tracked.self)
        await Task.yield()
        _ = resolve(Tracked.self)
        return Ticket(number: 1)
    }

    @Test("A dependency of an asynchronous factory lives until it returns")
    func oneFactory() async throws {
        let (built, released) = (Counter(), Counter())
        let container = DIContainer {
            Weak { _ in built.counting(Tracked(released)) }
            Shared(async: { resolve in await Self.requestTwice(resolve) }, name: "shared")
            Scoped(async: { resolve in await Self.requestTwice(resolve) }, name: "scoped")
            New(async: { resolve in await Self.requestTwice(resolve) }, name: "new")
        }
        for (count, name) in zip(1..., ["shared", "scoped", "new"] as [RegistrationName]) {
            _ = try await container.resolve.async(Ticket.self, name: name)
            #expect(built.count == count, "\(name)")
            // It is released afterwards.
            #expect(await eventually { released.count == count }, "\(name)")
        }
    }

    @Test("A dependency of an awaited factory lives until the graph is complete", arguments: [true, false])
    func dependencies(asksBefore: Bool) async throws {
        let (built, released) = (Counter(), Counter())
        let container = DIContainer {
            Weak { _ in built.counting(Tracked(released)) }
            Shared(async: { resolve in
                if asksBefore { _ = resolve(Tracked.self) }
                let first = try await resolve.async(Ticket.self, name: "first")
                let second = try await resolve.async(Ticket.self, name: "second")
                _ = resolve(Tracked.self)
                return "\(first.number + second.number)"
            })
            Shared(async: { resolve in await Self.requestTwice(resolve) }, name: "first")
            New(async: { resolve in await Self.requestTwice(resolve) }, name: "second")
        }
        #expect(try await container.resolve.async(String.self) == "2")
        #expect(built.count == 1)
        #expect(await eventually { released.count == built.count })
    }

    @Test("Rules 12, 19: a build stays one graph if its first request is canceled")
    func starterIsCancelled() async throws {
        let (built, released) = (Counter(), Counter())
        let build = Latch()
        let container = DIContainer {
            Weak { _ in built.counting(Tracked(released)) }
            Graph { _ in Diesel() }
            Shared(async: { resolve in
                _ = resolve(Tracked.self)
                let member = resolve(Diesel.self)
                try await build.opening()
                _ = resolve(Tracked.self)
                return member === resolve(Diesel.self)
            })
        }
        let first = Task { try await container.resolve.async(Bool.self) }
        await build.isReached()
        let second = Task { try await container.resolve.async(Bool.self) }
        // Otherwise the second request would begin another build.
        await container.untilTasksWait(2)
        first.cancel()
        _ = await first.result
        build.open()
        #expect(try await second.value, "one factory had two members of one graph")
        #expect(built.count == 1)
        #expect(await eventually { released.count == built.count })
    }
}

#if os(Linux)
    extension ExitTests {
        @Test(
            "Rule 12: Rebuilding a decorated alias of a Weak does not grow memory",
            .enabled(if: ResidentMemory.isMeaningful, "A sanitizer keeps what was freed."))
        static func memoryOfRebuilding() async {
            await #expect(processExitsWith: .success) {
                let container = DIContainer {
                    Weak(Diesel(), as: (any Engine).self)
                    Decorate((any Engine).self) { base, _ in Diesel(kind: base.kind) }
                }
                for _ in 0..<1_000 { _ = container.resolve((any Engine).self) }
                let before = ResidentMemory.pages
                for _ in 0..<8_000 { _ = container.resolve((any Engine).self) }
                let pages = ResidentMemory.pages - before
                // If each build retained memory, the growth would exceed 200 pages.
                precondition(pages < 160, "\(pages) pages more")
            }
        }
    }
#endif
