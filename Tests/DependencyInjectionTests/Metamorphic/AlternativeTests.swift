import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

/// Many rules name several cases: "registering, decorating or unregistering". Here each case stands alone, because a
/// test with several of them passes as long as one of them works.
@Suite("Each case of a rule holds alone", .mayHang)
struct AlternativeTests {
    /// One case of a rule.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let holds: @MainActor @Sendable () async throws -> Bool

        init(_ text: String, holds: @escaping @MainActor @Sendable () async throws -> Bool) {
            testDescription = text
            self.holds = holds
        }
    }

    // MARK: Instances that are released

    private static func released(_ text: String, by change: @escaping @Sendable (DIContainer) -> Void) -> Case {
        Case("\(text) releases the instance") {
            let container = DIContainer { Shared(Diesel()) }
            weak let instance = try container.resolve.orThrow(Diesel.self)
            if instance == nil { return false }
            change(container)
            return instance == nil
        }
    }

    static let releases = [
        released("Rule 1: registering the type") { $0.register(Shared(Diesel())) },
        released("Rule 1: decorating the type") { $0.register(Decorate(Diesel.self) { base, _ in base }) },
        released("Rule 1: unregistering the type") { $0.unregister(Diesel.self) },
        released("Rule 3: resetInstances()") { $0.resetInstances() },
        released("Rule 3: reset()") { $0.reset() },
        Case("Rule 1: a child releases the instance of a replaced registration at its next request") {
            let parent = DIContainer { Scoped(Diesel()) }
            let child = parent.makeChild()
            weak let instance = try child.resolve.orThrow(Diesel.self)
            parent.register(Scoped(Diesel()))
            let isRetained = instance != nil
            _ = try child.resolve.orThrow(Diesel.self)
            return isRetained && instance == nil
        },
        Case("Rule 1: a child releases the instance of a replaced registration when it is released") {
            let parent = DIContainer { Scoped(Diesel()) }
            var child: DIContainer? = parent.makeChild()
            weak let instance = try child?.resolve.orThrow(Diesel.self)
            parent.register(Scoped(Diesel()))
            let isRetained = instance != nil
            child = nil
            return isRetained && instance == nil
        },
    ]

    // MARK: Instances of decorated aliases

    private static let decoratedPort = Module {
        Shared(Impl(), as: (any Port).self)
        Decorate((any Port).self) { base, _ in Wrapped(base) }
    }

    private static func releasedPort(_ text: String, by change: @escaping @Sendable (DIContainer) -> Void) -> Case {
        Case("Rule 2: \(text) releases the instance of a decorated alias") {
            let container = DIContainer { decoratedPort }
            weak let instance = try container.resolve.orThrow((any Port).self)
            if !(instance is Wrapped) { return false }
            change(container)
            return instance == nil
        }
    }

    static let aliases = [
        releasedPort("registering the target") { $0.register(Shared(Impl())) },
        releasedPort("resetting the instances") { $0.resetInstances() },
        releasedPort("registering the alias") { $0.register(Shared(Impl() as any Port)) },
        releasedPort("decorating the alias again") {
            $0.register(Decorate((any Port).self) { base, _ in Wrapped(base) })
        },
        releasedPort("unregistering the alias") { $0.unregister((any Port).self) },
        Case("Rule 2: a decorated alias in a descendant is decorated at each request") {
            let child = DIContainer { Shared(Impl()) }.makeChild { decoratedPort }
            // The alias stays, and leads to the parent.
            child.unregister(Impl.self)
            return try !isSame(child.resolve.orThrow((any Port).self), child.resolve.orThrow((any Port).self))
        },
        Case("Rule 2: an alias that leads to another decorated alias is decorated at each request") {
            let container = DIContainer {
                Shared(Base(), as: (any Port).self)
                Decorate((any Port).self) { base, _ in Wrapped(base) }
                Shared(Derived(), as: Base.self)
                Decorate(Base.self) { _, _ in Base() }
            }
            return try !isSame(container.resolve.orThrow((any Port).self), container.resolve.orThrow((any Port).self))
        },
    ]

    private class Base: Port, @unchecked Sendable {}  // It has no state.
    private final class Derived: Base, @unchecked Sendable {}  // As `Base`.

    // MARK: Wrappers and providers that remember their container

    private static func remembers(
        _ text: String, _ owner: @escaping @MainActor @Sendable () -> @MainActor () throws -> Diesel
    ) -> [Case] {
        [
            Case("Rule 14: \(text) retains the container of withContainer") {
                let read = DIContainer.withContainer(DIContainer { Shared(Diesel()) }) { owner() }
                return try read() === read()
            },
            Case("Rule 14: \(text) retains the container of withOverrides") {
                let read = DIContainer.withOverrides({ Shared(Diesel()) }) { owner() }
                return try read() === read()
            },
            Case("Rule 14: \(text) uses its container in another one's scope") {
                let (first, second) = (DIContainer { Shared(Diesel()) }, DIContainer { Shared(Diesel()) })
                let read = DIContainer.withContainer(first) { owner() }
                return try DIContainer.withContainer(second) { try read() === first.resolve.orThrow(Diesel.self) }
            },
        ]
    }

    static let remembering: [Case] = [
        remembers("@Inject of a Provider") {
            struct Owner { @Inject var make: Provider<Diesel> }
            let owner = Owner()
            return { try owner.make.orThrow() }
        },
        remembers("@MutableInject of a Provider") {
            struct Owner { @MutableInject var make: Provider<Diesel> }
            let owner = Owner()
            return { try owner.make.orThrow() }
        },
        remembers("@LazyInject of a Provider") {
            struct Owner { @LazyInject var make: Provider<Diesel> }
            let owner = Owner()
            return { try owner.make.orThrow() }
        },
        remembers("a Provider that is created by hand") {
            let make = Provider<Diesel>()
            return { try make.orThrow() }
        },
        remembers("a Provider that is resolved") {
            let make = DIContainer.resolve(Provider<Diesel>.self)
            return { try make.orThrow() }
        },
        remembers("@LazyInject") {
            struct Owner { @LazyInject var diesel: Diesel }
            let owner = Owner()
            return { owner.diesel }
        },
        remembers("@MutableLazyInject") {
            struct Owner { @MutableLazyInject var diesel: Diesel }
            let owner = Owner()
            return { owner.diesel }
        },
    ].flatMap { $0 }

    // MARK: Cycles

    private final class Hen: @unchecked Sendable {
        let later: @Sendable () throws -> Egg
        init(_ later: @escaping @Sendable () throws -> Egg) { self.later = later }
    }
    private final class Egg: Sendable {
        let hen: Hen
        init(hen: Hen) { self.hen = hen }
    }
    private struct LazyEgg: @unchecked Sendable { @LazyInject var egg: Egg }

    static let cycles = [
        Case("Rule 16: a lazy wrapper breaks a cycle") {
            let container = DIContainer {
                Shared { _ in
                    let lazy = LazyEgg()
                    return Hen { lazy.egg }
                }
                Shared(autowiring: Egg.init)
            }
            let egg = try container.resolve.orThrow(Egg.self)
            return try egg.hen.later() === egg
        },
        Case("Rule 16: a Provider breaks a cycle") {
            let container = DIContainer {
                Shared { resolve in
                    let provider: Provider<Egg> = try resolve.orThrow()
                    return Hen { try provider.orThrow() }
                }
                Shared(autowiring: Egg.init)
            }
            let egg = try container.resolve.orThrow(Egg.self)
            return try egg.hen.later() === egg
        },
        Case("Rule 16: an instance that depends on itself directly is a cycle") {
            let container = DIContainer { Shared { resolve in Egg(hen: try resolve.orThrow(Egg.self).hen) } }
            return failure { _ = try container.resolve.orThrow(Egg.self) }?.kind == "cycle"
        },
        Case("Rule 16: an instance that depends on itself through another one is a cycle") {
            let container = DIContainer {
                Shared { resolve in
                    let egg = try resolve.orThrow(Egg.self)
                    return Hen { egg }
                }
                Shared(autowiring: Egg.init)
            }
            return failure { _ = try container.resolve.orThrow(Egg.self) }?.kind == "cycle"
        },
    ]

    // MARK: Decorators

    private static let decoration = Module(
        Decorate(Diesel.self) { base, _ in Diesel(kind: "decorated \(base.kind)") })

    private static func decorated(_ text: String, _ make: @escaping @Sendable () -> DIContainer) -> Case {
        Case("Rule 17: \(text)") { try make().resolve.orThrow(Diesel.self).kind == "decorated diesel" }
    }

    static let decorators = [
        decorated("a decorator wraps a type that is registered before") {
            DIContainer {
                Shared(Diesel())
                decoration
            }
        },
        decorated("a decorator wraps a type that is registered later") {
            DIContainer {
                decoration
                Shared(Diesel())
            }
        },
        decorated("a fork has the decorators") {
            DIContainer {
                Shared(Diesel())
                decoration
            }.fork()
        },
        decorated("the fork of a child has the decorators of the parent") {
            DIContainer {
                Shared(Diesel())
                decoration
            }.makeChild().fork()
        },
        decorated("the fork of a child has the decorators of the child") {
            DIContainer { Shared(Diesel()) }.makeChild { decoration }.fork()
        },
        decorated("withOverrides has the decorators") {
            let container = DIContainer {
                Shared(Diesel())
                decoration
            }
            return DIContainer.withContainer(container) { DIContainer.withOverrides({}) { DIContainer.current } }
        },
        Case("Rule 17: a misplaced decorator is an error of a request") {
            let child = DIContainer { Shared(Diesel()) }.makeChild { decoration }
            return failure { _ = try child.resolve.orThrow(Diesel.self) }?.kind == "misplacedDecorator"
        },
        Case("Rule 17: a misplaced decorator is a finding") {
            let child = DIContainer { Shared(Diesel()) }.makeChild { decoration }
            return try only(child).kind == .error(.misplacedDecorator)
        },
        Case("Rule C6: a type that is registered with `mainActor:` is refused off the main actor") {
            let container = DIContainer { Shared(mainActor: Diesel()) }
            _ = try container.resolve.orThrow(Diesel.self)
            return await isRefusedOffMainActor(in: container)
        },
        Case("Rule C6: a type that is decorated with `mainActor:` is refused off the main actor") {
            let container = DIContainer {
                Shared(Diesel())
                Decorate(Diesel.self, mainActor: { base, _ in base })
            }
            _ = try container.resolve.orThrow(Diesel.self)
            return await isRefusedOffMainActor(in: container)
        },
    ]

    @concurrent private static func isRefusedOffMainActor(in container: DIContainer) async -> Bool {
        failure { _ = try container.resolve.orThrow(Diesel.self) }?.kind == "mainActorRequired"
    }

    // MARK: Graphs

    private final class Pair: Sendable {
        let first: Diesel
        let second: Diesel
        init(first: Diesel, second: Diesel) { (self.first, self.second) = (first, second) }
    }

    static let graphs = [
        Case("Rule 19: resolve.all is one outermost request") {
            let container = DIContainer {
                Graph(Diesel())
                New(autowiring: Pair.init, name: "a")
                New(autowiring: Pair.init, name: "b")
            }
            let pairs = container.resolve.all(Pair.self)
            return pairs.count == 2 && pairs[0].first === pairs[1].second
        },
        Case("Rule 19: resolve.async is one outermost request") {
            let container = DIContainer {
                Graph(Diesel())
                New(async: { resolve in Pair(first: resolve(), second: try await resolve.async()) })
            }
            let pair = try await container.resolve.async(Pair.self)
            return pair.first === pair.second
        },
        Case("Rule 19: each build of prepare() is one outermost request") {
            let container = DIContainer {
                Graph(Diesel())
                Shared(async: { resolve in Pair(first: resolve(), second: resolve()) }, name: "a")
                Shared(async: { resolve in Pair(first: resolve(), second: resolve()) }, name: "b")
            }
            try await container.prepare()
            let a = try container.resolve.orThrow(Pair.self, name: "a")
            let b = try container.resolve.orThrow(Pair.self, name: "b")
            return a.first === a.second && b.first === b.second && a.first !== b.first
        },
    ]

    // MARK: Closing

    private static func closed(
        _ text: String, after prepare: @escaping @MainActor @Sendable (DIContainer) async throws -> Void
    ) -> Case {
        Case("Rule 20: \(text)") {
            let log = Log()
            let app = DIContainer { Shared(Pool()).onClose { _ in log.add("pool") } }
            try await prepare(app)
            try await app.close()
            return log.all == ["pool"]
        }
    }

    private static func refused(
        _ change: String, _ code: @escaping @Sendable () -> Void
    ) -> [Case] {
        [false, true].map { fails in
            Case("Rule 20: in a handler that \(fails ? "throws" : "returns"), \(change) is a failure of the handler") {
                let app = DIContainer {
                    Shared(Pool()).onClose { _ in
                        code()
                        if fails { throw Sabotage() }
                    }
                }
                _ = try app.resolve.orThrow(Pool.self)
                let error = await #expect(throws: CloseError.self) {
                    try await DIContainer.withContainer(app) { try await app.close() }
                }
                let failures = error?.failures.map { ($0.error as? ResolutionError)?.kind ?? "\($0.error)" }
                return failures == (fails ? ["closed", "sabotaged"] : ["closed"])
            }
        }
    }

    private static func refusesClosing(
        _ text: String, _ register: @escaping @Sendable (_ close: @escaping @Sendable () async -> Void) -> Module
    ) -> Case {
        Case("Rule 20: close() in \(text) is refused") {
            let failures = Locked<[Int]>([])
            let app = DIContainer {
                register {
                    do { try await DIContainer.current.close() } catch {
                        failures.withLock { $0.append((error as? CloseError)?.failures.count ?? -1) }
                    }
                }
            }
            _ = try await app.resolve.async(Pool.self)
            try await DIContainer.withContainer(app) { try await app.close() }
            return failures.withLock { $0 } == [0]
        }
    }

    private static let replacing: [Case] = [
        closed("an instance is closed after its type was registered again") {
            _ = try $0.resolve.orThrow(Pool.self)
            $0.register(Shared(Pool()))
        },
        closed("an instance is closed after its type was unregistered") {
            _ = try $0.resolve.orThrow(Pool.self)
            $0.unregister(Pool.self)
        },
        closed("an instance is closed after resetInstances()") {
            _ = try $0.resolve.orThrow(Pool.self)
            $0.resetInstances()
        },
        closed("an instance is closed after reset()") {
            _ = try $0.resolve.orThrow(Pool.self)
            $0.reset()
        },
        closed("an instance is closed whose decorator failed") {
            $0.register(Decorate(Pool.self) { _, _ in throw Sabotage() })
            _ = failure { [container = $0] in _ = try container.resolve.orThrow(Pool.self) }
        },
        closed("a value is closed that only prepare(.all) has built") { try await $0.prepare(.all) },
    ]

    private static let changesInHandlers: [Case] =
        refused("register(_:)") { DIContainer.current.register(Shared(1)) }
        + refused("unregister(_:)") { DIContainer.current.unregister(Pool.self) }
        + refused("reset()") { DIContainer.current.reset() }
        + refused("resetInstances()") { DIContainer.current.resetInstances() }
        + refused("a decoration") { DIContainer.current.register(Decorate(Pool.self) { base, _ in base }) }
        + refused("ProvidedByChild") { DIContainer.current.register(ProvidedByChild(Int.self)) }

    private static let closingInside: [Case] = [
        refusesClosing("a factory") { close in
            Module(
                Shared(async: { _ in
                    await close()
                    return Pool()
                }))
        },
        refusesClosing("a task that a factory awaits") { close in
            Module(
                Shared(async: { _ in
                    await Task { await close() }.value
                    return Pool()
                }))
        },
        refusesClosing("a handler") { close in Module(Shared(Pool()).onClose { _ in await close() }) },
        refusesClosing("a task that a handler awaits") { close in
            Module(Shared(Pool()).onClose { _ in await Task { await close() }.value })
        },
    ]

    private static let afterClosing: [Case] = [
        Case("Rule 20: isRegistered works after closing") {
            let container = try await closedContainer()
            return container.isRegistered(Diesel.self) && !container.isRegistered(Int.self)
        },
        Case("Rule 20: listings work after closing") {
            try await closedContainer().registrations.map(\.key) == ["Diesel"]
        },
        Case("Rule 20: forks work after closing") {
            try await closedContainer().fork().resolve.orThrow(Diesel.self).kind == "diesel"
        },
        Case("Rule 20: a closed child resolves a Shared that its open parent caches") {
            let parent = DIContainer { Shared(Diesel()) }
            let child = parent.makeChild()
            try await child.close()
            return try child.resolve.orThrow(Diesel.self) === parent.resolve.orThrow(Diesel.self)
        },
        Case("Rule 20: a closed child resolves a Weak that its open parent caches") {
            let parent = DIContainer { Weak(Diesel()) }
            let (child, diesel) = (parent.makeChild(), try parent.resolve.orThrow(Diesel.self))
            try await child.close()
            return try child.resolve.orThrow(Diesel.self) === diesel
        },
        Case("Rule 20: a closed child resolves no Scoped of its open parent") {
            let child = DIContainer { Scoped(Diesel()) }.makeChild()
            try await child.close()
            return failure { _ = try child.resolve.orThrow(Diesel.self) }?.kind == "closed"
        },
        Case("Rule 20: an open child resolves the Scoped of its closed parent that it has cached") {
            let parent = DIContainer { Scoped(Diesel()) }
            let child = parent.makeChild()
            let diesel = try child.resolve.orThrow(Diesel.self)
            try await parent.close()
            return try child.resolve.orThrow(Diesel.self) === diesel
        },
        Case("Rule 20: an open child resolves its own registration after its parent was closed") {
            let parent = DIContainer { Shared(1) }
            let child = parent.makeChild { Shared(Diesel()) }
            try await parent.close()
            return try child.resolve.orThrow(Diesel.self).kind == "diesel"
        },
    ]

    static let closing = replacing + changesInHandlers + closingInside + afterClosing

    private static func closedContainer() async throws -> DIContainer {
        let container = DIContainer { Shared(Diesel()) }
        try await container.close()
        return container
    }

    // MARK: All of them

    static let cases = releases + aliases + remembering + cycles + decorators + graphs + closing

    @Test("A case", arguments: cases)
    @MainActor func holds(_ row: Case) async throws {
        #expect(try await row.holds())
    }
}

extension ExitTests {
    @Suite("Rule 24: Each observer gets the error that stops the program") struct ObserverCaseTests {}
}

extension ExitTests.ObserverCaseTests {
    /// The containers of a request in a child, whose parent's factory stops the program. Another container's factory
    /// makes the request.
    @Sendable private static func stopProgram(observing name: String) {
        let parent = DIContainer { Shared { resolve in Car(engine: resolve()) } }
        let child = parent.makeChild { Scoped(Ticket(number: 1)) }
        let outer = DIContainer { New { _ in child.resolve(Car.self) } }
        let containers = ["parent": parent, "child": child, "outer": outer]
        containers[name]?.observe { event in
            guard event.kind == .refused, let error = event.error as? ResolutionError else { return }
            FileHandle.standardError.write(Data("reported \(error.key)\n".utf8))
        }
        _ = outer.resolve(Car.self)
    }

    @Test(
        "An observer of the factory's container, of the child that made the request, of the outermost factory's container",
        arguments: ["parent", "child", "outer"])
    func reports(to observed: String) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [observed = observed as String] in
            Self.stopProgram(observing: observed)
        }
        let text = standardError(of: result)
        #expect(text.components(separatedBy: "reported any Engine\n").count == 2, "\(text)")
    }

    @Test("An observer of the parent of the container that makes the request")
    func parent() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let parent = DIContainer { Shared(1) }
            parent.observe { event in
                if event.kind == .refused { FileHandle.standardError.write(Data("reported\n".utf8)) }
            }
            _ = parent.makeChild().makeChild().resolve(Ticket.self)
        }
        let text = standardError(of: result)
        #expect(text.components(separatedBy: "reported\n").count == 2, "\(text)")
    }
}
