import DependencyInjection
import Testing

@Suite("Weak", .serialized, .mayHang, .ownThread)
struct WeakTests {
    @Test("Rule 12: an instance is shared while other code retains it, and then rebuilt")
    func lifetime() throws {
        let built = Counter()
        let container = DIContainer {
            Weak(
                { _ in
                    built.increment()
                    return Diesel()
                }, as: (any Engine).self)
        }
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

    @Test("Rule 12: protocols and actors can be weak")
    func kinds() throws {
        actor Store { let number = 1 }
        let container = DIContainer {
            Weak(Diesel() as any Engine)
            Weak(Store())
        }
        let engine: any Engine = try container.resolve.orThrow()
        let store: Store = try container.resolve.orThrow()
        #expect(try isSame(engine, container.resolve.orThrow((any Engine).self)))
        #expect(try store === container.resolve.orThrow(Store.self))
    }

    @Test("Rule 12: a value type is an error at the first build, with the reason")
    func values() throws {
        struct PetrolEngine: Engine { let kind = "petrol" }
        let container = DIContainer {
            Weak(Ticket(number: 1))
            Weak(PetrolEngine() as any Engine)
        }
        let error = try #require(failure { _ = try container.resolve.orThrow(Ticket.self) })
        #expect(error.kind == "weakValueType")
        #expect(error.description.contains("Ticket is a value type, which cannot be held weakly"))
        #expect(failure { _ = try container.resolve.orThrow((any Engine).self) }?.kind == "weakValueType")
    }

    @Test("Rule 12: an instance lives until the graph that depends on it is complete")
    func graph() throws {
        final class Probe: Sendable {
            let isOne: Bool
            init(_ resolve: Resolver) {
                let first = ObjectIdentifier(resolve(Diesel.self))
                _ = [Diesel(), Diesel(), Diesel()]
                isOne = first == ObjectIdentifier(resolve(Diesel.self))
            }
        }
        let built = Counter()
        let container = DIContainer {
            Weak { _ in
                built.increment()
                return Diesel()
            }
            New(Probe.init)
            Shared(name: "shared") { resolve in Probe(resolve) }
        }
        #expect(try container.resolve.orThrow(Probe.self).isOne && built.count == 1)
        #expect(try container.resolve.orThrow(Probe.self, name: "shared").isOne && built.count == 2)
        weak let after = try container.resolve.orThrow(Diesel.self)
        #expect(after == nil)
    }

    @Test("Rule 12: threads that race to build or rebuild get one instance at a time")
    func race() {
        let built = Counter()
        let container = DIContainer {
            Weak(as: (any Engine).self) { _ in
                built.increment()
                return Diesel()
            }
        }
        for round in 1...raceRounds {
            let instances = onThreads(raceThreads) { index in
                index % 2 == 0 ? container.resolve(Diesel.self) : container.resolve((any Engine).self) as! Diesel
            }
            let isOne = instances.allSatisfy { $0 === instances[0] }
            #expect(isOne)
            #expect(built.count == round)
        }
    }

    @Test("Rule 1: a registration that replaces it applies immediately, also by alias")
    func replaced() throws {
        let container = DIContainer { Weak(Diesel(kind: "first"), as: (any Engine).self) }
        let held = try container.resolve.orThrow(Diesel.self)
        #expect(try container.resolve.orThrow((any Engine).self).kind == "first")
        container.register(Weak(Diesel(kind: "second")))
        #expect(try container.resolve.orThrow((any Engine).self).kind == "second")
        #expect(held.kind == "first")
    }

    @Test("Rule 12: a replaced instance lives until the graph that uses it is complete")
    func letGoInGraph() throws {
        let built = Counter()
        let held = Locked<Diesel?>(nil)
        let container = DIContainer {
            Weak { _ in
                built.increment()
                return Diesel()
            }
            New { resolve in
                let first = ObjectIdentifier(resolve(Diesel.self))
                held.withLock { $0 = nil }
                _ = [Diesel(), Diesel(), Diesel()]
                return first == ObjectIdentifier(resolve(Diesel.self))
            }
        }
        weak let instance = try container.resolve.orThrow(Diesel.self)
        #expect(instance == nil && built.count == 1)
        held.withLock { $0 = container.resolve() }
        #expect(try container.resolve.orThrow(Bool.self) && built.count == 2)
        weak let after = try container.resolve.orThrow(Diesel.self)
        #expect(after == nil && built.count == 3)
    }

    @Test("Rule 12: a request releases its instances in reverse order of construction")
    func releasedInOrder() throws {
        final class Part: Sendable {
            let number: Int
            let released: Locked<[Int]>
            init(_ number: Int, _ released: Locked<[Int]>) { (self.number, self.released) = (number, released) }
            deinit { released.withLock { $0.append(number) } }
        }
        let released = Locked<[Int]>([])
        let container = DIContainer {
            for number in 1...6 { Weak(Part(number, released), name: "\(number)") }
            New { resolve in
                for number in [3, 1, 6, 2, 5, 4] { _ = resolve(Part.self, name: "\(number)") }
                return released.withLock { $0.isEmpty }
            }
        }
        // The order must not depend on addresses.
        for _ in 1...20 {
            #expect(try container.resolve.orThrow(Bool.self))
            #expect(released.withLock { $0 } == [4, 5, 2, 6, 1, 3])
            released.withLock { $0 = [] }
        }
    }

    @Test("Rule 12: an instance that one factory resolves repeatedly is retained once")
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
        let held = try container.resolve.orThrow(Diesel.self)
        #expect(try container.resolve.orThrow(Ticket.self).number < 20)
        withExtendedLifetime(held) {}
    }

    @Test("Rule 12: a decorator of a Weak or its alias must not return a value")
    func decoratedAsValue() throws {
        struct PetrolEngine: Engine { let kind = "petrol" }
        let parent = DIContainer {
            Weak(Diesel() as any Engine)
            Weak(Diesel(), name: "aliased", as: (any Engine).self)
            Decorate((any Engine).self) { _, _ in PetrolEngine() }
            Decorate((any Engine).self, name: "aliased") { _, _ in PetrolEngine() }
        }
        for name: RegistrationName? in [nil, "aliased"] {
            let child = parent.makeChild()
            let error = failure { _ = try child.resolve.orThrow((any Engine).self, name: name) }
            #expect(error?.kind == "weakValueType")
            #expect(error?.description.contains("PetrolEngine is a value") == true)
        }
        #expect(try parent.resolve.orThrow(Diesel.self, name: "aliased").kind == "diesel")
    }
}

#if os(Linux)
    extension ExitTests {
        @Suite("Weak, in another process") struct WeakExitTests {}
    }

    extension ExitTests.WeakExitTests {
        @Test(
            "Rule 12: rebuilding a decorated alias of a Weak does not grow memory",
            .enabled(if: ResidentMemory.isMeaningful, "A sanitizer keeps what was freed."))
        func memoryOfRebuilding() async {
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
