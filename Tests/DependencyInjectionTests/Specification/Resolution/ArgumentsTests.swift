import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

// Plain requests: the forms with arguments are compared with one another.

@Suite("Rule 9: Arguments are matched by position", .mayHang)
struct ArgumentTests {
    class Animal {}
    final class Dog: Animal {}

    private let container = DIContainer {
        New { _, number in Ticket(number: number) }
        New { (_, name: String, age: Int, isTame: Bool) in Connection("\(name) \(age) \(isTame)") }
        New(name: "animal") { (_, animal: Animal, note: String?) in
            Connection("\(type(of: animal)) \(note ?? "no note")")
        }
        New(name: "two") { (_, number: Int, text: String) in Connection("\(number) \(text)") }
        New(name: "tuple") { (_, pair: (Int, String)) in Connection("\(pair.0) \(pair.1)") }
        New(Pool())
        Shared { (_, kind: String) in Diesel(kind: kind) }
        Shared(autowiring: Car.init)
        Shared(Diesel() as any Engine)
    }

    @Test("Arguments are matched by position in every form of request")
    func forms() throws {
        let positional: Connection = container.resolve("Rex", 3, true)
        #expect(positional.name == "Rex 3 true")
        #expect(container.resolve(Connection.self, arguments: "Rex", 4, false).name == "Rex 4 false")
        #expect(container.resolve(Connection.self) { ("Rex", 5, true) }.name == "Rex 5 true")
        let inferred: Connection = container.resolve { ("Rex", 6, true) }
        #expect(inferred.name == "Rex 6 true")
        #expect(container.resolve(Ticket.self) { 7 }.number == 7)
        #expect(try container.resolve.orThrow(Connection.self, arguments: "Rex", 8, true).name == "Rex 8 true")
        let thrown: Connection = try container.resolve.orThrow("Rex", 9, true)
        #expect(thrown.name == "Rex 9 true")
        #expect(try container.resolve.orThrow(Connection.self) { ("Rex", 10, true) }.name == "Rex 10 true")
        let provider: Provider<Connection, String, Int, Bool> = container.resolve()
        #expect(provider("Rex", 11, true).name == "Rex 11 true")
        let named: Connection = container.resolve(name: "animal") { (Dog(), "x") }
        #expect(named.name == "Dog x")
    }

    @Test("An Optional closure is passed as an argument instead of being called")
    func closureThatIsNil() throws {
        let container = DIContainer { New { (_, action: (() -> Int)?) in Ticket(number: action == nil ? 1 : 2) } }
        let action: (() -> Int)? = nil
        #expect(container.resolve(Ticket.self, arguments: action).number == 1)
        #expect(try container.resolve.orThrow(Ticket.self, arguments: action).number == 1)
    }

    @Test("An argument of another type is converted as `as?` would")
    func conversion() {
        #expect(container.resolve(Connection.self, name: "animal", arguments: Dog(), "good").name == "Dog good")
        let none: String? = nil
        #expect(container.resolve(Connection.self, name: "animal", arguments: Animal(), none).name == "Animal no note")
        #expect(container.resolve(Connection.self, name: "animal", arguments: Dog() as Any, "x").name == "Dog x")
        let provider: Provider<Connection, Dog, String> = container.resolve(name: "animal")
        #expect(provider(Dog(), "by provider").name == "Dog by provider")
    }

    @Test("Wrong arguments are an error that prints both signatures")
    func mismatch() throws {
        for (supplied, request) in [
            "()": { try $0.orThrow(Connection.self) },
            "(String, Int)": { try $0.orThrow(Connection.self, arguments: "Rex", 3) },
            "(String, String, Bool)": { try $0.orThrow(Connection.self, arguments: "Rex", "3", true) },
        ] as KeyValuePairs<String, (Resolver) throws -> Connection> {
            let error = try #require(failure { _ = try request(container.resolve) })
            #expect(error.description.contains("takes (String, Int, Bool), but the request supplied \(supplied)."))
            #expect(error.path.isEmpty, "\(supplied)")
        }
    }

    @Test("Arguments that are missing, superfluous, or in one tuple are an error")
    func otherMismatches() {
        let resolve = container.resolve
        for (row, error) in [
            "a Shared without its argument": container.error(of: Diesel.self),
            "an argument for a New without any": failure { _ = try resolve.orThrow(Pool.self, arguments: 1) },
            "Void for a New without any": failure { _ = try resolve.orThrow(Pool.self, arguments: ()) },
            "a tuple for two": failure { _ = try resolve.orThrow(Connection.self, name: "two", arguments: (1, "a")) },
            "two for a tuple": failure { _ = try resolve.orThrow(Connection.self, name: "tuple", arguments: 1, "a") },
            "another type for an Optional": failure { _ = try resolve.orThrow(Ticket?.self, arguments: "3") },
            "an argument for a collection": failure { _ = try resolve.orThrow(All<Ticket>.self, arguments: 1) },
            "an argument for a provider": failure { _ = try resolve.orThrow(Provider<Ticket>.self, arguments: 1) },
        ] as KeyValuePairs {
            #expect(error?.kind == "argumentMismatch", "\(row)")
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

    @Test("An explicit type is never an argument, even if the result is converted")
    func explicitTypeIsNoArgument() {
        let any: Any = container.resolve(Car.self)
        let object: AnyObject? = container.resolve(Car.self)
        #expect(any is Car)
        #expect(object === container.resolve(Car.self))
    }

    @Test("A closure is an argument by position, and is called for one by label")
    func closures() throws {
        typealias Action = @Sendable () -> String
        let container = DIContainer {
            New { (_, action: @escaping Action) in Connection(action()) }
            New(name: "text") { (_, text: String) in Connection(text) }
        }
        let action: Action = { "action" }
        let positional: Connection = container.resolve(arguments: { action })
        #expect(positional.name == "action")
        #expect(container.resolve(Connection.self, arguments: { action }).name == "action")
        #expect(container.resolve(Connection.self) { action }.name == "action")
        #expect(container.resolve(Connection.self, name: "text", arguments: { "id" }).name == "id")
        #expect(container.resolve(Connection.self, name: "text", arguments: action).name == "action")
        let error = try #require(failure { _ = try container.resolve.orThrow(Connection.self, arguments: action) })
        #expect(error.description.contains("but the request supplied (String)."))
    }

    // MARK: Autowiring with arguments

    final class Trip: Sendable {
        let text: String
        init(to place: String, engine: any Engine) { text = "\(place) by \(engine.kind)" }
        init(to place: String, days: Int, engine: any Engine, starter: (any Starter)?) {
            text = "\(place), \(days) days by \(engine.kind), \(starter == nil ? "pushed" : "started")"
        }
        init(a: String, b: Int, c: Bool) { text = "\(a) \(b) \(c)" }
    }
    private let autowired = DIContainer {
        Shared(Diesel() as any Engine)
        New(autowiring: Trip.init(to:engine:), arguments: String.self)
        New(autowiring: Trip.init(to:days:engine:starter:), arguments: String.self, Int.self, name: "two")
        New(
            autowiring: Trip.init(a:b:c:), arguments: String.self, Int.self, Bool.self, name: "three",
            as: AnyObject.self)
    }

    @Test("The first parameters are arguments, and the others are resolved")
    func autowiredForms() async throws {
        let trip: Trip = try autowired.resolve.orThrow("Ulm")
        #expect(trip.text == "Ulm by diesel")
        #expect(
            try autowired.resolve.orThrow(Trip.self, name: "two", arguments: "Ulm", 2).text
                == "Ulm, 2 days by diesel, pushed")
        #expect(autowired.resolve(Trip.self, name: "three") { ("a", 3, true) }.text == "a 3 true")
        let object = try autowired.resolve.orThrow(AnyObject.self, name: "three", arguments: "a", 4, false)
        #expect((object as? Trip)?.text == "a 4 false")
        let provider: Provider<Trip, String> = try autowired.resolve.orThrow()
        #expect(provider("Bonn").text == "Bonn by diesel")
        #expect(try await autowired.resolve.async(Trip.self, arguments: "Kiel").text == "Kiel by diesel")
        let substring = "Ulm" as Any
        #expect(try autowired.resolve.orThrow(Trip.self, arguments: substring).text == "Ulm by diesel")
    }

    @Test("Wrong arguments and missing dependencies are errors, also of validation, like those of autowiring")
    func autowiringErrors() throws {
        let mismatch = try #require(failure { _ = try autowired.resolve.orThrow(Trip.self, arguments: 3) })
        #expect(mismatch.kind == "argumentMismatch")
        #expect(mismatch.description.contains("(String)") && mismatch.description.contains("(Int)"))
        #expect(autowired.error(of: Trip.self)?.kind == "argumentMismatch")
        let graph = autowired.graph
        #expect(graph.edges.filter { graph.nodes[$0.from].name == "two" }.map(\.key) == ["any Engine"])
        #expect(graph.uncheckedRegistrations.allSatisfy { $0.type == (any Engine).self })
        autowired.unregister((any Engine).self)
        let missing = try #require(failure { _ = try autowired.resolve.orThrow(Trip.self, arguments: "Ulm") })
        #expect(missing.kind == "notRegistered" && missing.dependency.type == (any Engine).self)
        let finding = try #require(findings(autowired).first)
        #expect(finding.kind == .error(.notRegistered) && finding.key == "any Engine")
    }

    @Test("Validation compares providers with the arguments, and building supplies some")
    func validation() async throws {
        autowired.register(New(autowiring: { (_: Provider<Trip, String>) in Pool() }))
        #expect(try autowired.validate().isEmpty)
        autowired.register(New(autowiring: Trip.init(to:days:engine:starter:), arguments: String.self, Int.self))
        #expect(findings(autowired).contains { $0.kind == .error(.argumentMismatch) })

        autowired.register(New(autowiring: Trip.init(to:engine:), arguments: String.self))
        let values: [ObjectIdentifier: any Sendable] = [
            ObjectIdentifier(String.self): "Ulm", ObjectIdentifier(Int.self): 1, ObjectIdentifier(Bool.self): true,
        ]
        let mode = ValidationMode.building(includingMainActor: true) { info in
            info.arguments.compactMap { values[ObjectIdentifier($0)] }
        }
        #expect(try await autowired.validate(mode, allowing: [.replaced]).isEmpty)
    }

    // MARK: Arguments of asynchronous factories

    @Test("Several arguments are matched by position, and converted as by `as?`")
    func several() async throws {
        let container = DIContainer {
            New(async: { (_, name: String, age: Int, isTame: Bool) in Connection("\(name) \(age) \(isTame)") })
            Shared(async: { (_, kind: String, number: Int?) in Diesel(kind: "\(kind) \(number ?? 0)") })
        }
        #expect(try await container.resolve.async(Connection.self, arguments: "Rex", 3, true).name == "Rex 3 true")
        let inferred: Connection = try await container.resolve.async(arguments: "Rex", 4, false)
        #expect(inferred.name == "Rex 4 false")
        #expect(try await container.resolve.async(Diesel.self, arguments: "new", 5).kind == "new 5")
    }

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
        #expect(error?.kind == "asyncRequired" && error?.key == "Ticket" && error?.path.map(\.key) == ["Connection"])
        #expect(built.count == 0)
        #expect(try await container.resolve.async(Ticket.self, arguments: 4).number == 4)
        #expect(try await container.resolve.async(Connection.self).name == "4")
    }

    @Test("Rule 18: an error that advises to await retains no argument")
    func argumentOfError() async {
        let container = DIContainer {
            Shared(async: { (_, engine: Diesel) in Car(engine: engine) })
            New { (resolve, engine: Diesel) in
                _ = try resolve.orThrow(Car.self, arguments: engine)
                return Ticket(number: 1)
            }
        }
        weak var argument: Diesel?
        func makeArgument() -> Diesel {
            let engine = Diesel()
            argument = engine
            return engine
        }
        let direct = failure { _ = try container.resolve.orThrow(Car.self, arguments: makeArgument()) }
        #expect(argument == nil)
        let inFactory = failure { _ = try container.resolve.orThrow(Ticket.self, arguments: makeArgument()) }
        #expect(argument == nil)
        let awaited = await #expect(throws: ResolutionError.self) {
            try await container.resolve.async(Ticket.self, arguments: makeArgument())
        }
        #expect(argument == nil)
        let errors = [direct, inFactory, awaited].compactMap { $0 }
        #expect(errors.map(\.kind) == ["asyncRequired", "asyncRequired", "asyncRequired"])
        #expect(errors.map(\.key) == ["Car", "Car", "Car"])
    }

    @Test("A request without arguments joins a running build that has arguments")
    func joinsWithoutArguments() async throws {
        let (gate, started) = (Gate(), Gate())
        let container = DIContainer {
            Shared(async: { (_, number: Int) in
                started.open()
                try await gate.wait()
                return Ticket(number: number)
            })
        }
        let first = Task { try await container.resolve.async(Ticket.self, arguments: 3) }
        try await started.wait()
        let second = Task { try await container.resolve.async(Ticket.self) }
        await container.untilTasksWait(2)
        gate.open()
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
            New(name: "named") { (_, argument: Any) in Ticket(number: argument as? Int ?? 1) }
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
