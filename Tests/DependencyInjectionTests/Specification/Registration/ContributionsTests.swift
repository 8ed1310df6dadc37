import DependencyInjection
import Testing

/// A contribution of another type.
private let diesel = Module { Shared { _ in Diesel() }.into((any Engine).self) }
/// A contribution of the collected type itself.
private let own = Module("Own") { Shared(Diesel(kind: "own") as any Engine).into((any Engine).self) }
private let tuning = Module(tune())

/// Whether the elements of two collections are the same instances, each by its position.
private func areSame(_ first: [any Engine], _ second: [any Engine]) -> [Bool] {
    zip(first, second).map { isSame($0, $1) }
}

@Suite("Rule 23: Modules can contribute to one collection")
struct ContributionTests {
    @Test("Modules contribute their instances to a collection, in the order of registration")
    func modules() throws {
        let container = DIContainer {
            diesel
            own
            Shared(Diesel(kind: "third") as any Engine).into((any Engine).self)
            New(autowiring: Dependent<[any Engine]>.init)
        }
        let engines = try container.resolve.orThrow(Dependent<[any Engine]>.self).dependency
        #expect(engines.map(\.kind) == ["diesel", "own", "third"])
        #expect(try kinds(container) == ["diesel", "own", "third"])
        #expect(try isSame(engines[0], container.resolve.orThrow(Diesel.self)))
        #expect(try isSame(engines[0], container.resolve.orThrow.all((any Engine).self)[0]))
        let provider = try container.resolve.orThrow(Provider<[any Engine]>.self)
        // Plain: the wrapper has no other form.
        @Inject(from: container) var injected: [any Engine]
        @LazyInject(from: container) var later: [any Engine]
        #expect(provider().count == 3 && injected.count == 3 && later.count == 3)
    }

    @Test("A contribution of the collected type is found in the collection only")
    func collectionOnly() throws {
        let container = DIContainer { own }
        #expect(!container.isRegistered((any Engine).self) && !container.isRegistered([any Engine].self))
        #expect(try container.resolve.orThrow((any Engine)?.self) == nil)
        let error = container.error(of: (any Engine).self)
        #expect(error?.kind == "notRegistered")
        #expect(error?.description.contains("any Engine  (contributed at \(#fileID):") == true)
        container.register(Shared(Diesel(kind: "single") as any Engine))
        #expect(container.isRegistered((any Engine).self))
        #expect(try container.resolve.orThrow((any Engine).self).kind == "single")
        #expect(try kinds(container) == ["own", "single"])
    }

    @Test("A module that is registered twice contributes once")
    func registeredTwice() throws {
        let container = DIContainer {
            own
            diesel
            Module { own }
        }
        container.register(diesel)
        #expect(try kinds(container) == ["own", "diesel"])
        #expect(try kinds(container.makeChild { own }) == ["own", "diesel"])
    }

    @Test("Registering a contributed type again replaces it in the collection")
    func replaced() throws {
        let container = DIContainer {
            Shared(Diesel(kind: "first")).into((any Engine).self)
            Shared(Diesel(kind: "second")).into((any Engine).self)
            Shared(Tuned(Diesel())).into((any Engine).self)
        }
        #expect(try kinds(container) == ["second", "tuned diesel"])
        container.register(Shared(Diesel(kind: "third")))
        #expect(try kinds(container) == ["third", "tuned diesel"])
    }

    @Test("An array that is registered itself takes precedence, and without contributions there is none")
    func arrays() throws {
        let container = DIContainer {
            diesel
            Shared([Diesel(kind: "listed")] as [any Engine])
        }
        #expect(try container.resolve.orThrow([any Engine].self).map(\.kind) == ["listed"])
        #expect(try container.resolve.orThrow.all((any Engine).self).map(\.kind) == ["diesel"])
        let child = DIContainer { diesel }.makeChild { Shared([] as [any Engine]) }
        #expect(try child.resolve.orThrow([any Engine].self).isEmpty)
        let single = DIContainer { Shared(Diesel() as any Engine) }
        #expect(single.error(of: [any Engine].self)?.kind == "notRegistered")
        #expect(try single.resolve.orThrow([any Engine]?.self) == nil)
        #expect(try single.resolve.orThrow.all((any Engine).self).count == 1)
    }

    @Test("Rules 9, 23: a collection takes neither a name nor arguments, and collects no factory with arguments")
    func arguments() {
        let container = DIContainer { diesel }
        #expect(container.error(of: [any Engine].self, name: "x")?.kind == "notRegistered")
        let withArgument = failure { _ = try container.resolve.orThrow([any Engine].self, arguments: 1) }
        #expect(withArgument?.kind == "argumentMismatch")
        container.register(New { _, kind in Diesel(kind: kind) as any Engine }.into((any Engine).self))
        #expect(container.error(of: [any Engine].self)?.kind == "argumentMismatch")
    }

    @Test("One registration contributes to several collections, and once to each")
    func severalCollections() throws {
        let both = Module {
            Shared(Diesel()).into((any Engine).self).into((any Starter).self)
            Shared(Diesel(kind: "own") as any Engine).into((any Engine).self).into((any Starter).self)
            Shared(Diesel(kind: "other") as any Engine).into((any Starter).self).into((any Engine).self)
            Shared(Diesel(kind: "last") as any Engine).into((any Starter).self).into((any Engine).self)
        }
        let container = DIContainer {
            both
            both
        }
        #expect(try kinds(container) == ["diesel", "own", "other", "last"])
        let starters = try container.resolve.orThrow([any Starter].self).compactMap { $0 as? any Engine }
        #expect(try areSame(starters, container.resolve.orThrow([any Engine].self)) == [true, true, true, true])
        let twice = DIContainer {
            Shared(Diesel()).into((any Engine).self).into((any Engine).self)
            Shared(Diesel(kind: "own") as any Engine).into((any Engine).self).into((any Engine).self)
        }
        #expect(try kinds(twice) == ["diesel", "own"])
    }

    @Test("An alias and a contribution of one type are one element")
    func aliases() throws {
        let container = DIContainer {
            Shared(Diesel(), as: (any Engine).self).into((any Engine).self)
            Shared(Diesel(kind: "own") as any Engine, as: (any Starter).self).into((any Engine).self)
        }
        #expect(try kinds(container) == ["diesel", "own"])
        #expect(try container.resolve.orThrow((any Engine).self).kind == "diesel")
        let own = try container.resolve.orThrow.all((any Engine).self)[1]
        #expect(try isSame(container.resolve.orThrow((any Starter).self), own))
        container.register(Shared(Diesel(kind: "new") as any Engine))
        #expect(try kinds(container) == ["diesel", "own", "new"])
        let starters = DIContainer {
            Shared(Diesel() as any Engine, as: (any Starter).self).into((any Engine).self)
            Shared(Diesel() as any Engine).into((any Starter).self)
        }
        #expect(try starters.resolve.orThrow([any Starter].self).count == 2)
        let child = container.makeChild { Shared(Diesel(kind: "child's"), as: (any Engine).self) }
        #expect(try kinds(child) == ["child's", "own"])
    }

    @Test("Names distinguish contributions, and select them")
    func names() throws {
        let container = DIContainer {
            Shared(Diesel(kind: "first"), name: "1").into((any Engine).self)
            Shared(Diesel(kind: "second"), name: "2").into((any Engine).self)
            Shared(Diesel(kind: "own first") as any Engine, name: "1").into((any Engine).self)
            Shared(Diesel(kind: "unnamed")).into((any Engine).self)
        }
        #expect(try kinds(container) == ["first", "second", "own first", "unnamed"])
        let named = try container.resolve.orThrow.all((any Engine).self, name: "1")
        #expect(named.map(\.kind) == ["first", "own first"])
        // Plain: the wrapper has no other form.
        @Inject(from: container, name: "2") var second: All<any Engine>
        #expect(second.map(\.kind) == ["second"])
        #expect(!container.isRegistered((any Engine).self, name: "1"))
        #expect(try container.resolve.orThrow(Diesel.self, name: "1").kind == "first")
    }

    @Test("A child's contributions come before its parent's")
    func children() throws {
        let parent = DIContainer {
            diesel
            own
        }
        let child = parent.makeChild {
            Shared(Diesel(kind: "child's own") as any Engine).into((any Engine).self)
            Shared(Diesel(kind: "child's")).into((any Engine).self)
        }
        #expect(try kinds(child) == ["child's own", "child's", "own"])
        #expect(try kinds(parent) == ["diesel", "own"])
        #expect(try kinds(child.fork()) == ["child's own", "child's", "own"])
        // The parent's contribution leads to the child's registration.
        let overriding = parent.makeChild { Shared(Diesel(kind: "overridden")) }
        #expect(try kinds(overriding) == ["overridden", "own"])
        #expect(try kinds(overriding.makeChild().fork()) == ["overridden", "own"])
        // Rule 10: a parent's Shared never gets a child's contributions.
        let owner = DIContainer { Shared(autowiring: Dependent<[any Engine]>.init) }
        #expect(owner.makeChild { own }.error(of: Dependent<[any Engine]>.self)?.kind == "notRegistered")
        owner.register(diesel)
        #expect(
            try owner.makeChild { own }.resolve.orThrow(Dependent<[any Engine]>.self).dependency.map(\.kind) == [
                "diesel"
            ])
    }

    @Test("Rules 3, 23: unregistering a type removes its contributions")
    func unregister() throws {
        let container = DIContainer {
            diesel
            own
            Shared(Diesel(kind: "named") as any Engine, name: "x").into((any Engine).self).into((any Starter).self)
            Shared(Diesel(kind: "single") as any Engine)
        }
        container.unregister(Diesel.self, name: "x")
        #expect(try kinds(container) == ["diesel", "own", "named", "single"])
        container.unregister(Diesel.self)
        #expect(try kinds(container) == ["own", "named", "single"])
        // These are registrations of the type itself.
        container.unregister((any Engine).self)
        #expect(try kinds(container) == ["named"])
        #expect(try container.resolve.orThrow([any Starter].self).count == 1)
        container.unregister((any Engine).self, name: "x")
        #expect(try kinds(container).isEmpty)
        #expect(container.error(of: [any Starter].self)?.kind == "notRegistered")
        // Contributions of other types, and those of a parent, remain.
        container.register(diesel, tuning)
        #expect(try kinds(container) == ["tuned diesel"])
        container.unregister((any Engine).self)
        #expect(try kinds(container) == ["diesel"])
        let child = container.makeChild { Shared(Diesel(kind: "child's")).into((any Engine).self) }
        child.unregister(Diesel.self)
        #expect(try kinds(child) == ["diesel"])
        container.register(own)
        #expect(try kinds(container) == ["diesel", "own"])
        container.reset()
        #expect(try kinds(container).isEmpty)
    }

    @Test("An instance that isn't of the collected type is an error of the collection only")
    func mismatch() throws {
        let container = DIContainer { Shared(Ticket(number: 1)).into((any Engine).self) }
        #expect(container.error(of: [any Engine].self)?.kind == "typeMismatch")
        #expect(container.error(of: All<any Engine>.self)?.kind == "typeMismatch")
        #expect(failure { _ = try container.resolve.orThrow.all((any Engine).self) }?.kind == "typeMismatch")
        #expect(try container.resolve.orThrow(Ticket.self).number == 1)
    }

    @Test("Rules 16, 23: a cycle through a collection is found, and shows the path")
    func cycle() {
        let container = DIContainer {
            Shared(autowiring: Dependent<[any Engine]>.init)
            Shared(autowiring: { (all: Dependent<[any Engine]>) in Tuned(all.dependency[0]) }).into((any Engine).self)
        }
        let error = container.error(of: Dependent<[any Engine]>.self)
        #expect(error?.kind == "cycle")
        #expect(error?.path.map(\.id.description).dropFirst() == ["any Engine", "Tuned"])
        let own = DIContainer {
            Shared(autowiring: { (all: [any Engine]) in Tuned(all[0]) as any Engine }).into((any Engine).self)
        }
        let circle = own.error(of: [any Engine].self)
        #expect(circle?.description.hasPrefix("Circular dependency: any Engine → any Engine\n") == true)
    }

    // MARK: Decorators of a collection

    @Test("Rules 17, 23: a decorator of the type wraps contributions of its name, registered before or later")
    func wraps() throws {
        let container = DIContainer {
            diesel
            tuning
            own
            Shared(Diesel(kind: "named"), name: "x").into((any Engine).self)
        }
        #expect(try kinds(container) == ["tuned diesel", "tuned own", "named"])
        container.register(tune("x", name: "x"))
        #expect(try kinds(container) == ["tuned diesel", "tuned own", "x named"])
        container.unregister(Diesel.self, name: "x")
        #expect(try container.resolve.orThrow(Diesel.self).kind == "diesel")
        container.register(tune("finely"))
        container.register(Shared(Diesel(kind: "new") as any Engine))
        #expect(try kinds(container) == ["finely tuned diesel", "finely tuned own", "finely tuned new"])
        // A decorated element of a cached registration is built once.
        let first = try container.resolve.orThrow.all((any Engine).self)
        #expect(try areSame(first, container.resolve.orThrow.all((any Engine).self)) == [true, true, true])
        container.resetInstances()
        #expect(try areSame(first, container.resolve.orThrow.all((any Engine).self)) == [false, false, false])
    }

    @Test("Rules 17, 23: in a child, a decorator of a parent's contributions is an error")
    func misplaced() throws {
        let parent = DIContainer {
            diesel
            own
        }
        let child = parent.makeChild { tuning }
        for (row, container) in ["child": child, "child.makeChild()": child.makeChild()] as KeyValuePairs {
            #expect(container.error(of: [any Engine].self)?.kind == "misplacedDecorator", "\(row)")
            #expect(container.error(of: All<any Engine>.self)?.kind == "misplacedDecorator", "\(row)")
            #expect(try container.resolve.orThrow(Diesel.self).kind == "diesel", "\(row)")
        }
        #expect(try kinds(parent) == ["diesel", "own"])
        #expect(try kinds(child.fork()) == ["tuned diesel", "tuned own"])
        #expect(try kinds(child.makeChild().fork()) == ["tuned diesel", "tuned own"])
        let grandchild = child.makeChild { tune("finely") }
        #expect(try kinds(grandchild.fork()) == ["finely tuned diesel", "finely tuned own"])
        parent.register(tuning)
        #expect(try kinds(child) == ["tuned diesel", "tuned own"])
    }

    @Test("Rules 17, 23: a child's registration of the type has its own decorators")
    func childsRegistration() throws {
        let parent = DIContainer {
            diesel
            Shared(Diesel(kind: "parent's") as any Engine)
        }
        let child = parent.makeChild {
            Shared(Diesel(kind: "child's") as any Engine)
            tuning
        }
        #expect(try kinds(child) == ["tuned child's", "diesel"])
        #expect(try kinds(child.fork()) == ["tuned child's", "diesel"])
        #expect(try kinds(parent.makeChild { tuning }.fork()) == ["tuned diesel", "tuned parent's"])
    }

    // MARK: Lifetimes in a collection

    /// A contribution of each lifetime.
    private static func module<T: Sendable>(
        _ built: Counter = Counter(), _ make: @escaping @Sendable (String) -> T
    ) -> Module {
        Module {
            Shared(name: "shared") { _ in built.counting(make("shared")) }.into((any Engine).self)
            Scoped(name: "scoped") { _ in built.counting(make("scoped")) }.into((any Engine).self)
            Weak(name: "weak") { _ in built.counting(make("weak")) }.into((any Engine).self)
            Graph(name: "graph") { _ in built.counting(make("graph")) }.into((any Engine).self)
            New(name: "new") { _ in built.counting(make("new")) }.into((any Engine).self)
        }
    }

    @Test(
        "Each lifetime has its meaning in a collection, also of the collected type", arguments: [false, true])
    func lifetimes(isOwnType: Bool) throws {
        let built = Counter()
        let app = DIContainer {
            if isOwnType {
                Self.module(built) { Diesel(kind: $0) as any Engine }
            } else {
                Self.module(built) { Diesel(kind: $0) }
            }
        }
        let first = try app.resolve.orThrow([any Engine].self)
        #expect(first.map(\.kind) == ["shared", "scoped", "weak", "graph", "new"])
        #expect(built.count == 5)
        // The first collection retains the weak instance.
        let second = try app.resolve.orThrow([any Engine].self)
        #expect(areSame(first, second) == [true, true, true, false, false])
        let child = app.makeChild()
        let third = try child.resolve.orThrow([any Engine].self)
        #expect(areSame(first, third) == [true, false, true, false, false])
        #expect(try isSame(child.resolve.orThrow([any Engine].self)[1], third[1]))
        app.resetInstances()
        let fourth = try app.resolve.orThrow([any Engine].self)
        #expect(!areSame(first, fourth).contains(true))
        #expect(try !areSame(fourth, app.fork().resolve.orThrow([any Engine].self)).contains(true))
    }

    @Test("Rules 1, 23: unregistering or decorating a contribution releases its instance", arguments: [false, true])
    func released(isDecorated: Bool) throws {
        let container = DIContainer {
            diesel
            own
        }
        var engines = try container.resolve.orThrow([any Engine].self)
        weak let another = engines[0] as AnyObject
        weak let collected = engines[1] as AnyObject
        engines = []
        #expect(another != nil && collected != nil)
        if isDecorated {
            container.register(tuning)
        } else {
            container.unregister(Diesel.self)
            container.unregister((any Engine).self)
        }
        #expect(collected == nil)
        // A contribution of another type is an alias, so its decorator leaves the instance.
        #expect((another == nil) == !isDecorated)
    }

    @Test("Rules 20, 23: a contribution closes its instance once, with onClose before or after into")
    func closing() async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Diesel(kind: "before")).onClose { log.add($0.kind) }.into((any Engine).self)
            Shared(Diesel(kind: "after"), name: "after").into((any Engine).self).into((any Sendable).self).onClose {
                log.add($0.kind)
            }
            Shared(Diesel(kind: "own before") as any Engine).onClose { log.add($0.kind) }.into((any Engine).self)
            Shared(Diesel(kind: "own after") as any Engine).into((any Engine).self).onClose { log.add($0.kind) }
            tuning
        }
        #expect(try kinds(app) == ["tuned before", "after", "tuned own before", "tuned own after"])
        _ = try app.resolve.orThrow(Diesel.self)
        try await app.close()
        #expect(log.all == ["own after", "own before", "after", "before"])
        #expect(app.error(of: [any Engine].self)?.kind == "closed")
    }

    @Test("Rules C10, 23: asynchronous contributions are prepared and awaited", arguments: [false, true])
    func asynchronous(isPrepared: Bool) async throws {
        let container = DIContainer {
            Shared(async: { _ in
                await Task.yield()
                return Diesel(kind: "first")
            }).into((any Engine).self)
            Shared(async: { _ in Diesel(kind: "second") as any Engine }).into((any Engine).self)
            New(autowiring: Dependent<[any Engine]>.init)
        }
        #expect(container.error(of: [any Engine].self)?.kind == "asyncRequired")
        if isPrepared {
            try await container.prepare()
        } else {
            #expect(
                try await container.resolve.async(Dependent<[any Engine]>.self).dependency.map(\.kind) == [
                    "first", "second",
                ])
            #expect(try await container.resolve.async([any Engine].self).count == 2)
        }
        #expect(try kinds(container) == ["first", "second"])
    }

    @MainActor
    @Test("Rules C6, 23: a main-actor contribution is resolved on the main actor only")
    func mainActor() async throws {
        let container = DIContainer {
            own
            Shared(mainActor: Diesel(kind: "main")).into((any Engine).self)
            New(mainActor: Diesel(kind: "own main") as any Engine).into((any Engine).self)
        }
        #expect(try kinds(container) == ["own", "main", "own main"])
        await Task { @concurrent in
            await Task.yield()
            #expect(container.error(of: [any Engine].self)?.kind == "mainActorRequired")
        }.value
    }

    @Test("Rules C1, 23: threads that contribute and collect find whole collections")
    func threads() async throws {
        let container = DIContainer { Shared(Diesel(kind: "0") as any Engine).into((any Engine).self) }
        let areWhole = await awaitThreads(4) { writer in
            (0..<100).allSatisfy { round in
                let kind = "\(writer)-\(round)"
                container.register(Shared(Diesel(kind: kind) as any Engine).into((any Engine).self))
                let kinds = container.resolve([any Engine].self).map(\.kind)
                return Set(kinds).count == kinds.count && kinds.contains(kind) && kinds[0] == "0"
            }
        }
        #expect(areWhole == [true, true, true, true])
        #expect(try kinds(container).count == 401)
    }
}
