import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

// Plain requests: the forms with arguments are compared with one another.

@Suite("Rule 9: Arguments are matched by position", .mayHang)
struct ArgumentTests {
    private let container = DIContainer {
        New { _, number in Ticket(number: number) }
        New { (_, name: String, age: Int, isTame: Bool) in Connection("\(name) \(age) \(isTame)") }
        New(async: { (_, name: String, age: Int?) in Connection("\(name) \(age ?? 0)") }, name: "async")
        New(name: "vehicle") { (_, vehicle: Vehicle, note: String?) in
            Connection("\(type(of: vehicle)) \(note ?? "no note")")
        }
        New(name: "two") { (_, number: Int, text: String) in Connection("\(number) \(text)") }
        New(name: "tuple") { (_, pair: (Int, String)) in Connection("\(pair.0) \(pair.1)") }
        New(Pool())
        Shared { (_, kind: String) in Diesel(kind: kind) }
        Shared(autowiring: Car.init)
        Shared(Diesel() as any Engine)
    }

    @Test("Arguments are matched by position in every form of request")
    func forms() async throws {
        let inferred: Connection = container.resolve("Rex", 1, true)
        #expect(inferred.name == "Rex 1 true")
        let thrown: Connection = try container.resolve.orThrow("Rex", 2, true)
        #expect(thrown.name == "Rex 2 true")
        #expect(container.resolve(Connection.self, arguments: "Rex", 3, true).name == "Rex 3 true")
        #expect(container.resolve(Connection.self) { ("Rex", 4, true) }.name == "Rex 4 true")
        let provider: Provider<Connection, String, Int, Bool> = container.resolve()
        #expect(provider("Rex", 5, true).name == "Rex 5 true")
        #expect(try await container.resolve.async(Connection.self, name: "async", arguments: "Rex", 6).name == "Rex 6")
    }

    @Test("An argument of another type is converted as `as?` would")
    func conversion() {
        #expect(container.resolve(Connection.self, name: "vehicle", arguments: Bicycle(), "x").name == "Bicycle x")
        let none: String? = nil
        #expect(
            container.resolve(Connection.self, name: "vehicle", arguments: Vehicle(), none).name == "Vehicle no note")
        #expect(
            container.resolve(Connection.self, name: "vehicle", arguments: Bicycle() as Any, "x").name == "Bicycle x")
        let provider: Provider<Connection, Bicycle, String> = container.resolve(name: "vehicle")
        #expect(provider(Bicycle(), "x").name == "Bicycle x")
    }

    @Test("Arguments that are missing, superfluous, of another type, or in one tuple are an error")
    func mismatches() {
        let resolve = container.resolve
        for (row, error) in [
            "a Shared without its argument": container.error(of: Diesel.self),
            "two for three": failure { _ = try resolve.orThrow(Connection.self, arguments: "Rex", 3) },
            "another type": failure { _ = try resolve.orThrow(Connection.self, arguments: "Rex", "3", true) },
            "an argument for a New without any": failure { _ = try resolve.orThrow(Pool.self, arguments: 1) },
            "Void for a New without any": failure { _ = try resolve.orThrow(Pool.self, arguments: ()) },
            "a tuple for two": failure { _ = try resolve.orThrow(Connection.self, name: "two", arguments: (1, "a")) },
            "two for a tuple": failure { _ = try resolve.orThrow(Connection.self, name: "tuple", arguments: 1, "a") },
            "another type for an Optional": failure { _ = try resolve.orThrow(Ticket?.self, arguments: "3") },
            "an argument for a collection": failure { _ = try resolve.orThrow(All<Ticket>.self, arguments: 1) },
            "an argument for a provider": failure { _ = try resolve.orThrow(Provider<Ticket>.self, arguments: 1) },
        ] as KeyValuePairs {
            #expect(error?.kind == "argumentMismatch", "\(row)")
            #expect(error?.path.isEmpty == true, "\(row)")
        }
    }

    @Test("A Shared takes the first arguments, and ignores later ones")
    func sharedArguments() {
        let first: Diesel = container.resolve("first")
        let second: Diesel = container.resolve("second")
        #expect(first === second && second.kind == "first")
        #expect(container.resolve(Diesel.self) === first)
    }

    @Test("Rules 9, 11: an unwanted argument is an error, also of an alias's target, before and after the build")
    func unwantedArgument() throws {
        let line: UInt = #line + 2
        let parent = DIContainer {
            Shared(Diesel(), as: (any Engine).self)
            Shared(autowiring: Car.init)
        }
        let child = parent.makeChild()
        for (row, container) in ["parent": parent, "parent again": parent, "child": child, "child again": child]
            as KeyValuePairs
        {
            let car = try #require(failure { _ = try container.resolve.orThrow(Car.self, arguments: 1) })
            #expect(car.description.contains("takes (), but the request supplied (Int)."), "\(row)")
            let engine = try #require(failure { _ = try container.resolve.orThrow((any Engine).self, arguments: 1) })
            #expect(engine.kind == "argumentMismatch" && engine.key == "Diesel", "\(row)")
            #expect(engine.description.contains("\n  registered at \(#fileID):\(line)\n"), "\(row)")
            _ = container.resolve(Car.self)
        }
    }

    @Test("A tuple is one argument. An Optional and a provider of one pass arguments on")
    func tuplesAndOptionals() {
        #expect(container.resolve(Connection.self, name: "tuple", arguments: (1, "a")).name == "1 a")
        #expect(container.resolve(Ticket?.self, arguments: 3)?.number == 3)
        let provider: Provider<Ticket?, Int> = container.resolve()
        #expect(provider(4)?.number == 4)
    }

    @Test("A closure is an argument by position, and is called for one by label")
    func closures() throws {
        typealias Action = @Sendable () -> String
        let container = DIContainer {
            New { (_, action: @escaping Action) in Connection(action()) }
            New(name: "text") { (_, text: String) in Connection(text) }
        }
        let action: Action = { "action" }
        #expect(container.resolve(Connection.self, arguments: { action }).name == "action")
        #expect(container.resolve(Connection.self) { action }.name == "action")
        #expect(container.resolve(Connection.self, name: "text", arguments: action).name == "action")
        let error = try #require(failure { _ = try container.resolve.orThrow(Connection.self, arguments: action) })
        #expect(error.description.contains("but the request supplied (String)."))
    }

    @Test("Autowiring takes the first parameters as arguments, and resolves the others")
    func autowiring() throws {
        let container = DIContainer {
            Shared(Diesel() as any Engine)
            New(
                autowiring: { (place: String, engine: any Engine, starter: (any Starter)?) in
                    Connection("\(place) by \(engine.kind), \(starter == nil ? "pushed" : "started")")
                }, arguments: String.self)
        }
        let trip: Connection = try container.resolve.orThrow("Ulm")
        #expect(trip.name == "Ulm by diesel, pushed")
        container.unregister((any Engine).self)
        let finding = try only(container)
        #expect(finding.kind == .error(.notRegistered) && finding.key == "any Engine")
    }

    // MARK: Arguments of asynchronous factories

    @Test("A mismatch of one request's arguments is not an error of another request")
    func mismatchOfAnother() async {
        for round in 0..<raceRounds {
            let container = DIContainer { Shared(async: { (_, name: String) in Connection(name) }) }
            async let wrong: Void = { _ = try? await container.resolve.async(Connection.self, arguments: 1) }()
            async let right = { try? await container.resolve.async(Connection.self, arguments: "right") }()
            await wrong
            #expect(await right?.name == "right", "round \(round)")
        }
    }

    @Test("Rule C10: a plain Shared(async:) request with arguments fails before the build")
    func plainRequest() async throws {
        let built = Counter()
        let container = DIContainer {
            Shared(async: { (_, number: Int) in built.counting(Ticket(number: number)) })
            New { resolve in Connection("\(try resolve.orThrow(Ticket.self, arguments: 3).number)") }
        }
        let error = await #expect(throws: ResolutionError.self) { try await container.resolve.async(Connection.self) }
        #expect(error?.kind == "asyncRequired" && error?.key == "Ticket")
        #expect(error?.path.map(\.id.description) == ["Connection"])
        #expect(built.count == 0)
        #expect(try await container.resolve.async(Ticket.self, arguments: 4).number == 4)
        #expect(try await container.resolve.async(Connection.self).name == "4")
    }

    @Test("Rule 18: an error that advises to await retains no argument")
    func argumentOfError() async {
        let container = DIContainer {
            Shared(async: { (_, argument: Tracked) in Car(engine: Diesel()) })
            New { (resolve, argument: Tracked) in
                _ = try resolve.orThrow(Car.self, arguments: argument)
                return Ticket(number: 1)
            }
        }
        let released = Counter()
        let direct = failure { _ = try container.resolve.orThrow(Car.self, arguments: Tracked(released)) }
        #expect(released.count == 1)
        let inFactory = failure { _ = try container.resolve.orThrow(Ticket.self, arguments: Tracked(released)) }
        #expect(released.count == 2)
        let awaited = await #expect(throws: ResolutionError.self) {
            try await container.resolve.async(Ticket.self, arguments: Tracked(released))
        }
        #expect(released.count == 3)
        let errors = [direct, inFactory, awaited].compactMap { $0 }
        #expect(errors.map(\.kind) == ["asyncRequired", "asyncRequired", "asyncRequired"])
        #expect(errors.map(\.key) == ["Car", "Car", "Car"])
    }

    @Test("A request without arguments joins a running build that has arguments")
    func joinsWithoutArguments() async throws {
        let build = Latch()
        let container = DIContainer {
            Shared(async: { (_, number: Int) in try await build.opening(returning: Ticket(number: number)) })
        }
        let first = Task { try await container.resolve.async(Ticket.self, arguments: 3) }
        await build.isReached()
        let second = Task { try await container.resolve.async(Ticket.self) }
        await container.untilTasksWait(2)
        build.open()
        #expect(try await first.value.number == 3)
        #expect(try await second.value.number == 3)
    }

    @Test("Rule 16: New(async:) may recurse, and endless recursion is an error")
    func recursion() async throws {
        let container = DIContainer {
            New(async: { (resolve, depth: Int) -> [Int] in
                depth == 0 ? [] : try await resolve.async([Int].self, arguments: depth - 1) + [depth]
            })
            New(async: { (resolve, endless: String) -> Ticket in try await resolve.async(arguments: endless) })
        }
        #expect(try await container.resolve.async([Int].self, arguments: 64) == Array(1...64))
        let error = await #expect(throws: ResolutionError.self) {
            try await container.resolve.async(Ticket.self, arguments: "on")
        }
        #expect(error?.kind == "cycle" && error?.key == "Ticket")
    }

    // MARK: Every form of request, with a name and a place of its own

    typealias Form = Row<@Sendable (Resolver, RegistrationName) async throws -> Ticket>

    private static let file: StaticString = "App/Screen.swift"
    private static let closure: (@Sendable () -> Int)? = { 1 }
    private static let missingClosure: (@Sendable () -> Int)? = nil

    static let plain = [
        Form("resolve(1)") { $0(1, name: $1) },
        Form("resolve(arguments: 1)") { $0(Ticket.self, name: $1, arguments: 1) },
        Form("resolve { 1 }") { $0(Ticket.self, name: $1) { 1 } },
        Form("resolve { 1 } as Ticket") { $0(name: $1) { 1 } },
        Form("resolve(arguments: closure)") { $0(Ticket.self, name: $1, arguments: closure) },
    ]

    static let throwing = [
        Form("orThrow(1)") { try $0.orThrow(1, name: $1, file: file, line: 7) },
        Form("orThrow(arguments: 1)") { try $0.orThrow(Ticket.self, name: $1, arguments: 1, file: file, line: 7) },
        Form("orThrow { 1 }") { try $0.orThrow(Ticket.self, name: $1, file: file, line: 7) { 1 } },
        Form("orThrow(arguments: closure)") {
            try $0.orThrow(Ticket.self, name: $1, file: file, line: 7, arguments: closure)
        },
        Form("orThrow(arguments: missingClosure)") {
            try $0.orThrow(Ticket.self, name: $1, file: file, line: 7, arguments: missingClosure)
        },
        Form("Provider.orThrow(1)") {
            try $0.orThrow(Provider<Ticket, Int>.self, name: $1).orThrow(1, file: file, line: 7)
        },
        Form("async(arguments: 1)") {
            try await $0.async(Ticket.self, name: $1, arguments: 1, file: file, line: 7)
        },
        Form("async { 1 }") { try await $0.async(Ticket.self, name: $1, file: file, line: 7) { 1 } },
        Form("async(arguments: closure)") {
            try await $0.async(Ticket.self, name: $1, file: file, line: 7, arguments: closure)
        },
    ]

    @Test("The name and the argument reach the factory", arguments: plain + throwing)
    func name(_ form: Form) async throws {
        let container = DIContainer {
            New { _, number in Ticket(number: -number) }
            New(name: "named") { (_, argument: Int?) in Ticket(number: argument ?? 1) }
        }
        #expect(try await form.value(container.resolve, "named") == Ticket(number: 1))
    }

    @Test("An error has the name and the place of the request", arguments: throwing)
    func place(_ form: Form) async throws {
        let container = DIContainer { New { _, number in Ticket(number: number) } }
        let error = await #expect(throws: ResolutionError.self) {
            _ = try await form.value(container.resolve, "missing")
        }
        #expect(error?.key == "Ticket named \"missing\"")
        #expect(error.map { "\($0.file):\($0.line)" } == "App/Screen.swift:7")
    }
}
