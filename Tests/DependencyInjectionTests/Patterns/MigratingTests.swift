import DependencyInjection
import DependencyInjectionDiagnostics
import Synchronization
import Testing

// What the rows of the article "Migrating" say.

@Suite("Migrating")
struct MigratingTests {
    protocol P: AnyObject, Sendable {}
    protocol Q: AnyObject, Sendable {}
    final class Impl: P, Q {
        let note: Int
        init(note: Int = 0) { self.note = note }
    }
    final class Fake: P {}

    // MARK: Swinject

    @Test("as: takes over the name, and a closure forwards under another")
    func implements() {
        let container = DIContainer {
            Shared(Impl(), name: "x", as: (any P).self)
            New(name: "q") { resolve in resolve(Impl.self, name: "x") as any Q }
        }
        #expect(container.resolve((any P)?.self) == nil)
        let impl = container.resolve(Impl.self, name: "x")
        #expect(container.resolve((any P).self, name: "x") === impl)
        #expect(container.resolve((any Q).self, name: "q") === impl)
    }

    @Test("A parent's Shared gets the parent's resolver, never the child's")
    func parent() {
        let parent = DIContainer {
            Shared(1)
            Shared { resolve in Impl(note: resolve()) }
        }
        #expect(parent.makeChild { Shared(2) }.resolve(Impl.self).note == 1)
    }

    @Test("resetInstances drops Weak, too, and leaves what the parents keep")
    func resetInstances() {
        let parent = DIContainer { Shared(Impl(), name: "parent") }
        let child = parent.makeChild {
            Shared(Impl())
            Weak(name: "weak") { Impl() }
        }
        let (own, weak, inherited) = (
            child.resolve(Impl.self), child.resolve(Impl.self, name: "weak"), child.resolve(Impl.self, name: "parent")
        )
        child.resetInstances()
        #expect(child.resolve(Impl.self) !== own)
        #expect(child.resolve(Impl.self, name: "weak") !== weak)
        #expect(child.resolve(Impl.self, name: "parent") === inherited)
    }

    @Test("Registering again drops the instance of one type")
    func resetOne() {
        let container = DIContainer {
            Shared(Impl())
            Shared(Fake())
        }
        let (impl, fake) = (container.resolve(Impl.self), container.resolve(Fake.self))
        container.register(Shared(Impl()))
        #expect(container.resolve(Impl.self) !== impl && container.resolve(Fake.self) === fake)
    }

    @Test("reset removes all, and isRegistered tells what there is")
    func removeAll() {
        let container = DIContainer { Shared(Impl() as any P) }
        #expect(container.isRegistered((any P).self))
        container.reset()
        #expect(!container.isRegistered((any P).self) && container.registrations.isEmpty)
    }

    @Test("A child keeps a graph for as long as it lasts")
    func graphIdentifier() {
        let app = DIContainer { Scoped { Impl() } }
        let graph = app.makeChild()
        #expect(graph.resolve(Impl.self) === graph.resolve(Impl.self))
        #expect(graph.resolve(Impl.self) !== app.makeChild().resolve(Impl.self))
    }

    @Test("Two factories with other arguments need names, which may come from a String")
    func argumentOverloads() {
        let name = "te" + "xt"
        let container = DIContainer {
            New { (_, note: Int) in Impl(note: note) }
            New(name: RegistrationName(name)) { (_, text: String) in Impl(note: text.count) }
        }
        #expect(container.resolve(Impl.self, arguments: 3).note == 3)
        #expect(container.resolve(Impl.self, name: "text", arguments: "four").note == 4)
    }

    @Test("Arguments that do not fit are an error even for an Optional, and where none are taken")
    func optional() {
        let container = DIContainer {
            New { (_, note: Int) in Impl(note: note) }
            Shared(Fake())
        }
        #expect(failure { _ = try container.resolve.orThrow(Impl?.self, arguments: "x") }?.kind == "argumentMismatch")
        #expect(failure { _ = try container.resolve.orThrow(Fake.self, arguments: 1) }?.kind == "argumentMismatch")
        #expect(container.resolve((any P)?.self) == nil)
    }

    @Test("A provider breaks a cycle of two that are shared and Sendable")
    func cycle() {
        final class A: Sendable {
            let b: Provider<B>
            init(b: Provider<B>) { self.b = b }
        }
        final class B: Sendable {
            let a: A
            init(a: A) { self.a = a }
        }
        let container = DIContainer {
            Shared(autowiring: A.init)
            Shared(autowiring: B.init)
        }
        let a = container.resolve(A.self)
        #expect(a.b().a === a)
        #expect(throws: Never.self) { try container.validate() }
    }

    @Test("A closure sets properties, as initCompleted and resolveProperties did")
    func properties() {
        final class Screen {
            var impl: Impl?
        }
        let container = DIContainer {
            Shared(Impl())
            New { resolve in
                let screen = Screen()
                screen.impl = resolve()
                return screen
            }
        }
        #expect(container.resolve(Screen.self).impl === container.resolve(Impl.self))
    }

    @Test("An assembler with a parent is a child with modules")
    func assembler() {
        let first = Module { Shared(1) }
        let second = Module { Shared("text") }
        let parent = DIContainer { Shared(true) }
        let child = parent.makeChild {
            first
            second
        }
        #expect(child.resolve(Int.self) == 1 && child.resolve(String.self) == "text" && child.resolve(Bool.self))
        #expect(!parent.isRegistered(Int.self))
    }

    @Test("An observer hears of what is built")
    func observe() {
        let keys = Mutex<[String]>([])
        let container = DIContainer { Shared(Impl()) }
        let observation = container.observe { event in
            if event.kind == .built { keys.withLock { $0.append("\(event.registration!.type)") } }
        }
        _ = container.resolve(Impl.self)
        observation.cancel()
        #expect(keys.withLock { $0 } == ["Impl"])
    }

    // MARK: Factory

    @Test("What all containers have is a Shared in their parent, and survives their resets")
    func singleton() {
        let singletons = DIContainer { Shared(Impl()) }
        let (first, second) = (singletons.makeChild(), singletons.makeChild())
        let impl = first.resolve(Impl.self)
        first.reset()
        #expect(first.resolve(Impl.self) === impl && second.resolve(Impl.self) === impl)
    }

    @Test("reset forgets definitions, and registering again brings them back")
    func reset() {
        let module = Module { Shared(Impl() as any P) }
        DIContainer.withContainer(DIContainer { module }) {
            DIContainer.register(Shared(Fake() as any P))
            #expect(DIContainer.resolve((any P).self) is Fake)
            DIContainer.current.reset()
            #expect(!DIContainer.current.isRegistered((any P).self))
            DIContainer.register { module }
            #expect(DIContainer.resolve((any P).self) is Impl)
        }
    }

    @Test("A registration has its own lifetime, whatever it replaces, and the later one wins")
    func register() {
        let container = DIContainer { Shared(Impl() as any P) }
        container.register(New(Fake() as any P))
        #expect(container.resolve((any P).self) !== container.resolve((any P).self))
        container.register(Shared(Fake() as any P))
        #expect(container.resolve((any P).self) === container.resolve((any P).self))
    }

    @Test("A child keeps what is cached, and withOverrides keeps nothing")
    func pushAndPop() {
        DIContainer.withContainer(DIContainer { Shared(Impl()) }) {
            let cached = DIContainer.resolve(Impl.self)
            DIContainer.withContainer(DIContainer.current.makeChild { Shared(Fake() as any P) }) {
                #expect(DIContainer.resolve(Impl.self) === cached && DIContainer.resolve((any P).self) is Fake)
            }
            #expect(!DIContainer.current.isRegistered((any P).self))
            DIContainer.withOverrides {
                Shared(Fake() as any P)
            } operation: {
                #expect(DIContainer.resolve(Impl.self) !== cached)
            }
        }
    }

    @Test("The current container is that of the task")
    func current() async {
        let container = DIContainer { Shared(Impl()) }
        await DIContainer.withContainer(container) {
            let task = Task { DIContainer.resolve(Impl.self) }
            #expect(await task.value === container.resolve(Impl.self))
        }
    }

    @Test("A container of one's own is named by from:, and two properties of one type by name:")
    func ownContainer() {
        let container = DIContainer {
            Shared(Impl(note: 1), name: "one")
            Shared(Impl(note: 2), name: "two")
        }
        let one = Inject<Impl>(from: container, name: "one").wrappedValue
        let two = Inject<Impl>(from: container, name: "two").wrappedValue
        #expect(one.note == 1 && two.note == 2)
    }

    @Test("A property resolves again where it is set, also an Optional")
    func resolveAgain() {
        struct Screen {
            @MutableInject var impl: Impl
            @MutableInject var maybe: (any P)?
        }
        DIContainer.withContainer(DIContainer { New { Impl() } }) {
            var screen = Screen()
            let first = screen.impl
            screen.impl = DIContainer.resolve()
            #expect(screen.impl !== first && screen.maybe == nil)
            screen.maybe = Fake()
            #expect(screen.maybe is Fake)
        }
    }

    @Test("A decorator runs when the instance is built, not at each request")
    func decorator() {
        let calls = Counter()
        let container = DIContainer {
            Shared(Impl() as any P)
            Decorate((any P).self) { base, _ in
                calls.increment()
                return base
            }
        }
        for _ in 0..<3 { _ = container.resolve((any P).self) }
        #expect(calls.count == 1)
    }

    @Test("What belongs to the main actor, or to another one, has a label")
    @MainActor func actors() async throws {
        let container = DIContainer {
            Shared(mainActor: { _ in Impl(note: 1) })
            Shared(async: { _ in await Kitchen.make() }, name: "kitchen")
        }
        #expect(container.resolve(Impl.self).note == 1)
        #expect(try await container.resolve.async(Impl.self, name: "kitchen").note == 2)
    }

    @globalActor actor Kitchen {
        static let shared = Kitchen()
        @Kitchen static func make() -> Impl { Impl(note: 2) }
    }

    // MARK: Resolver

    @Test("Scoped is kept by each container that resolves it")
    func containerScope() {
        let parent = DIContainer { Scoped { Impl() } }
        let child = parent.makeChild()
        #expect(child.resolve(Impl.self) === child.resolve(Impl.self))
        #expect(child.resolve(Impl.self) !== parent.resolve(Impl.self))
    }
}
