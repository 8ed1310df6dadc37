import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Synchronization
import Testing

// Further recipes of the article "Patterns".

@Suite("Recipes")
struct RecipeTests {
    final class Renewed<Value: Sendable>: Sendable {
        private let kept = Mutex<(value: Value, end: ContinuousClock.Instant)?>(nil)
        private let lifetime: Duration
        private let make: @Sendable () -> Value

        init(every lifetime: Duration, make: @escaping @Sendable () -> Value) {
            self.lifetime = lifetime
            self.make = make
        }
        var value: Value {
            kept.withLock { kept in
                if let kept, kept.end > .now { return kept.value }
                let value = make()
                kept = (value, .now + lifetime)
                return value
            }
        }
    }

    @Test("An instance is renewed after a time, and not before", arguments: [Duration.seconds(3600), .zero])
    func timeToLive(_ lifetime: Duration) {
        let container = DIContainer {
            Shared { _ in Renewed(every: lifetime) { Diesel() } }
            New { resolve in resolve(Renewed<Diesel>.self).value }
        }
        let first = container.resolve(Diesel.self)
        #expect((container.resolve(Diesel.self) === first) == (lifetime != .zero))
    }

    final class Rooms: Sendable {
        final class Room: Sendable {
            let id: Int
            init(id: Int) { self.id = id }
        }
        private let rooms = Mutex<[Int: Room]>([:])

        func room(_ id: Int) -> Room {
            rooms.withLock { rooms in
                let room = rooms[id] ?? Room(id: id)
                rooms[id] = room
                return room
            }
        }
    }

    @Test("A cache keeps one instance for each argument")
    func scopeOnParameters() {
        let container = DIContainer {
            Shared(Rooms())
            New { resolve, id in resolve(Rooms.self).room(id) }
        }
        let seven = container.resolve(Rooms.Room.self, arguments: 7)
        #expect(container.resolve(Rooms.Room.self, arguments: 7) === seven)
        #expect(container.resolve(Rooms.Room.self, arguments: 8).id == 8)
    }

    @propertyWrapper
    struct WeakLazyInject<Value> {
        private weak var object: AnyObject?
        @Inject private var make: Provider<Value>

        init() {}

        var wrappedValue: Value {
            mutating get {
                if let object, let value = object as? Value { return value }
                let value = make()
                object = value as AnyObject
                return value
            }
        }
    }

    @Test("A weak lazy wrapper resolves late, and again once nobody holds the object")
    func weakLazy() {
        final class Screen {
            @WeakLazyInject var engine: any Engine
        }
        let builds = Counter()
        let container = DIContainer {
            Weak { _ -> any Engine in
                builds.increment()
                return Diesel()
            }
        }
        let screen = DIContainer.withContainer(container) { Screen() }
        #expect(builds.count == 0)
        var held: (any Engine)? = screen.engine
        #expect(isSame(screen.engine, held!) && builds.count == 1)
        weak let object = held as AnyObject
        held = nil
        #expect(object == nil)
        #expect(screen.engine.kind == "diesel" && builds.count == 2)
    }

    struct Launch {
        var arguments: [String] = []
        var environment: [String: String] = [:]

        var isPreview: Bool { environment["XCODE_RUNNING_FOR_PREVIEWS"] == "1" }

        @RegistrationBuilder var services: [Registration] {
            Shared("file")
            Shared(1)
            if isPreview { Shared("console") }
            if arguments.contains("-fakes") { Shared(2) }
        }
    }

    @Test("Contexts are an `if` in the builder")
    func contexts() {
        let plain = DIContainer { Launch().services }
        #expect(plain.resolve(String.self) == "file" && plain.resolve(Int.self) == 1)
        let preview = DIContainer { Launch(environment: ["XCODE_RUNNING_FOR_PREVIEWS": "1"]).services }
        #expect(preview.resolve(String.self) == "console" && preview.resolve(Int.self) == 1)
        let fakes = DIContainer { Launch(arguments: ["App", "-fakes"]).services }
        #expect(fakes.resolve(String.self) == "file" && fakes.resolve(Int.self) == 2)
    }

    struct NewID: Sendable { let make: @Sendable () -> UUID }

    @Test("A closure in a struct is a value that changes, and a bare closure is a factory")
    func controlledValues() {
        let live = DIContainer { Shared(NewID { UUID() }) }
        #expect(live.resolve(NewID.self).make() != live.resolve(NewID.self).make())
        let fixed = DIContainer {
            Shared(NewID { UUID(uuidString: "00000000-0000-0000-0000-000000000001")! })
        }
        #expect(fixed.resolve(NewID.self).make().uuidString.hasSuffix("1"))
        let trap = DIContainer { Shared({ UUID() } as @Sendable () -> UUID) }
        #expect(trap.isRegistered(UUID.self) && !trap.isRegistered((@Sendable () -> UUID).self))
    }

    enum Second {
        @TaskLocal static var container = DIContainer { Shared(1) }
    }

    @Test("A second container is a task-local value, which a test binds")
    func secondContainer() {
        struct Screen {
            @Inject(from: Second.container) var number: Int
        }
        let fork = Second.container.fork { Shared(2) }
        #expect(Second.$container.withValue(fork) { Screen().number } == 2)
        #expect(Screen().number == 1)
    }

    @Test("A decorator runs for every instance")
    func everyInstance() {
        let calls = Counter()
        let container = DIContainer {
            New(Diesel() as any Engine)
            Decorate((any Engine).self) { base, _ in
                calls.increment()
                return base
            }
        }
        for _ in 0..<3 { _ = container.resolve((any Engine).self) }
        #expect(calls.count == 3)
    }

    @Test("A function logs what is not there, and no event does")
    func missing() {
        let container = DIContainer { Shared(Diesel()) }
        let events = Counter()
        let observation = container.observe { _ in events.increment() }
        var log: [String] = []
        #expect(container.find((any Engine).self) { log.append($0) } == nil)
        #expect(log.count == 1 && log[0].contains("Nothing is registered for any Engine"))
        #expect(container.find(Diesel.self) { log.append($0) } != nil && log.count == 1)
        let before = events.count
        #expect(container.resolve((any Starter)?.self) == nil)
        container.register(Shared(Ticket(number: 1)))
        let registered = events.count
        container.unregister(Ticket.self)
        observation.cancel()
        #expect(registered == before + 1 && events.count == registered)
    }
}

extension DIContainer {
    fileprivate func find<T>(_ type: T.Type, name: RegistrationName? = nil, log: (String) -> Void) -> T? {
        do { return try resolve.orThrow(type, name: name) } catch {
            log("\(error)")
            return nil
        }
    }
}
