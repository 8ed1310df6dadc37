import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

// Plain requests: the forms with arguments are compared with one another.

@Suite("Rule 9: Arguments are matched by position")
struct ArgumentTests {
    class Animal {}
    final class Dog: Animal {}
    final class Visit {
        let text: String
        init(_ text: String) { self.text = text }
    }

    private let container = DIContainer {
        New { _, number in Ticket(number: number) }
        New { (_, name: String, age: Int, isTame: Bool) in Visit("\(name) \(age) \(isTame)") }
        New(name: "animal") { (_, animal: Animal, note: String?) in
            Visit("\(type(of: animal)) \(note ?? "no note")")
        }
        Shared { (_, kind: String) in Diesel(kind: kind) }
        Shared(autowiring: Car.init)
        Shared(Diesel() as any Engine)
    }

    @Test("Arguments are matched by position in every form of request")
    func forms() throws {
        let positional: Visit = container.resolve("Rex", 3, true)
        #expect(positional.text == "Rex 3 true")
        #expect(container.resolve(Visit.self, arguments: "Rex", 4, false).text == "Rex 4 false")
        #expect(container.resolve(Visit.self) { ("Rex", 5, true) }.text == "Rex 5 true")
        let inferred: Visit = container.resolve { ("Rex", 6, true) }
        #expect(inferred.text == "Rex 6 true")
        #expect(container.resolve(Ticket.self) { 7 }.number == 7)
        #expect(try container.resolve.orThrow(Visit.self, arguments: "Rex", 8, true).text == "Rex 8 true")
        let thrown: Visit = try container.resolve.orThrow("Rex", 9, true)
        #expect(thrown.text == "Rex 9 true")
        #expect(try container.resolve.orThrow(Visit.self) { ("Rex", 10, true) }.text == "Rex 10 true")
        let provider: Provider<Visit, String, Int, Bool> = container.resolve()
        #expect(provider("Rex", 11, true).text == "Rex 11 true")
    }

    @Test("A closure with several statements is called for the arguments")
    func severalStatements() throws {
        let inferred: Ticket = container.resolve {
            let number = 1
            return number
        }
        #expect(inferred.number == 1)
        let stated = container.resolve(Ticket.self) {
            if inferred.number > 1 { return 1 }
            return 2
        }
        #expect(stated.number == 2)
        let labeled = container.resolve(
            Ticket.self,
            arguments: {
                let number = 3
                return number
            })
        #expect(labeled.number == 3)
        let thrown = try container.resolve.orThrow(Ticket.self) {
            let number = 4
            return number
        }
        #expect(thrown.number == 4)
        let tuple = container.resolve(Visit.self) {
            let name = "Rex"
            return (name, 5, true)
        }
        #expect(tuple.text == "Rex 5 true")
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
        #expect(container.resolve(Visit.self, name: "animal", arguments: Dog(), "good").text == "Dog good")
        let none: String? = nil
        #expect(container.resolve(Visit.self, name: "animal", arguments: Animal(), none).text == "Animal no note")
        #expect(container.resolve(Visit.self, name: "animal", arguments: Dog() as Any, "x").text == "Dog x")
        let provider: Provider<Visit, Dog, String> = container.resolve(name: "animal")
        #expect(provider(Dog(), "by provider").text == "Dog by provider")
    }

    @Test("Wrong arguments are an error that prints both signatures")
    func mismatch() throws {
        for (supplied, request) in [
            "()": { try $0.orThrow(Visit.self) },
            "(String, Int)": { try $0.orThrow(Visit.self, arguments: "Rex", 3) },
            "(String, String, Bool)": { try $0.orThrow(Visit.self, arguments: "Rex", "3", true) },
        ] as KeyValuePairs<String, (Resolver) throws -> Visit> {
            let error = try #require(failure { _ = try request(container.resolve) })
            #expect(error.description.contains("takes (String, Int, Bool), but the request supplied \(supplied)."))
            #expect(error.path.isEmpty, "\(supplied)")
        }
    }

    @Test("A Shared takes the first arguments, and ignores later ones")
    func sharedArguments() throws {
        #expect(failure { _ = try container.resolve.orThrow(Diesel.self) }?.kind == "argumentMismatch")
        let first: Diesel = container.resolve("first")
        let second: Diesel = container.resolve("second")
        #expect(isSame(first, second))
        #expect(second.kind == "first")
        #expect(isSame(container.resolve(Diesel.self), first))
    }

    @Test("An argument for a registration without any is an error")
    func unwantedArgument() throws {
        for round in 0..<2 {
            let error = try #require(failure { _ = try container.resolve.orThrow(Car.self, arguments: 1) })
            #expect(error.description.contains("takes (), but the request supplied (Int)."), "round \(round)")
            _ = container.resolve(Car.self)
        }
        container.register(New(Visit("plain")))
        #expect(failure { _ = try container.resolve.orThrow(Visit.self, arguments: 1) }?.kind == "argumentMismatch")
    }

    @Test("Rules 9, 11: an unwanted argument is an error of an alias's target")
    func unwantedArgumentOfAlias() throws {
        let line: UInt = #line + 1
        let parent = DIContainer { Shared(Diesel(), as: (any Engine).self) }
        let child = parent.makeChild()
        for (row, container) in ["parent": parent, "parent again": parent, "child": child, "child again": child]
            as KeyValuePairs
        {
            let error = try #require(failure { _ = try container.resolve.orThrow((any Engine).self, arguments: 1) })
            #expect(error.kind == "argumentMismatch" && error.key == "Diesel", "\(row)")
            #expect(error.description.contains("\n  registered at \(#fileID):\(line)\n"), "\(row)")
            _ = container.resolve((any Engine).self)
        }
    }

    @Test("A tuple is one argument, and doesn't match several parameters")
    func tuples() {
        let container = DIContainer {
            New { (_, number: Int, text: String) in Visit("\(number) \(text)") }
            New(name: "tuple") { (_, pair: (Int, String)) in Visit("\(pair.0) \(pair.1)") }
            New(Ticket(number: 1))
        }
        #expect(
            failure { _ = try container.resolve.orThrow(Visit.self, arguments: (1, "a")) }?.kind == "argumentMismatch")
        #expect(
            failure { _ = try container.resolve.orThrow(Visit.self, name: "tuple", arguments: 1, "a") }?.kind
                == "argumentMismatch")
        #expect(container.resolve(Visit.self, name: "tuple", arguments: (1, "a")).text == "1 a")
        #expect(failure { _ = try container.resolve.orThrow(Ticket.self, arguments: ()) }?.kind == "argumentMismatch")
    }

    @Test("An Optional passes arguments on, but a collection or provider has none")
    func synthesized() {
        #expect(container.resolve(Ticket?.self, arguments: 3)?.number == 3)
        #expect(failure { _ = try container.resolve.orThrow(Ticket?.self, arguments: "3") }?.kind == "argumentMismatch")
        let provider: Provider<Ticket?, Int> = container.resolve()
        #expect(provider(4)?.number == 4)
        #expect(
            failure { _ = try container.resolve.orThrow(All<Ticket>.self, arguments: 1) }?.kind == "argumentMismatch")
        #expect(
            failure { _ = try container.resolve.orThrow(Provider<Ticket>.self, arguments: 1) }?.kind
                == "argumentMismatch")
    }

    @Test("An explicit type is never an argument, even if the result is converted")
    func explicitTypeIsNoArgument() {
        let any: Any = container.resolve(Car.self)
        let object: AnyObject? = container.resolve(Car.self)
        #expect(any is Car)
        #expect(object === container.resolve(Car.self))
    }

    @Test("A closure also supplies the arguments of a named registration")
    func namedClosure() throws {
        #expect(container.resolve(Visit.self, name: "animal") { (Dog() as Animal, "x" as String?) }.text == "Dog x")
        let inferred: Visit = container.resolve(name: "animal") { (Dog(), "y") }
        #expect(inferred.text == "Dog y")
        #expect(try container.resolve.orThrow(Visit.self, name: "animal") { (Animal(), "z") }.text == "Animal z")
        let error = failure { _ = try container.resolve.orThrow(Visit.self, name: "other") { ("Rex", 1, true) } }
        #expect(error?.kind == "notRegistered" && error?.key == "ArgumentTests.Visit named \"other\"")
    }

    @Test("A closure is an argument by position, and is called for one by label")
    func closures() throws {
        typealias Action = @Sendable () -> String
        let container = DIContainer {
            New { (_, action: @escaping Action) in Visit(action()) }
            New(name: "text") { (_, text: String) in Visit(text) }
        }
        let action: Action = { "action" }
        let positional: Visit = container.resolve(arguments: { action })
        #expect(positional.text == "action")
        #expect(container.resolve(Visit.self, arguments: { action }).text == "action")
        #expect(container.resolve(Visit.self) { action }.text == "action")
        #expect(container.resolve(Visit.self, name: "text", arguments: { "id" }).text == "id")
        #expect(container.resolve(Visit.self, name: "text", arguments: action).text == "action")
        let error = try #require(failure { _ = try container.resolve.orThrow(Visit.self, arguments: action) })
        #expect(error.description.contains("but the request supplied (String)."))
    }
}

@Suite("Rule 9: Arguments are matched by position (autowiring with arguments)")
struct AutowiringArgumentsTests {
    final class Trip: Sendable {
        let text: String
        init(to place: String, engine: any Engine) { text = "\(place) by \(engine.kind)" }
        init(to place: String, days: Int, engine: any Engine, starter: (any Starter)?) {
            text = "\(place), \(days) days by \(engine.kind), \(starter == nil ? "pushed" : "started")"
        }
        init(a: String, b: Int, c: Bool) { text = "\(a) \(b) \(c)" }
    }
    struct NeedsTrip: Sendable {
        let makeTrip: Provider<Trip, String>
    }

    private let container = DIContainer {
        Shared(Diesel() as any Engine)
        New(autowiring: Trip.init(to:engine:), arguments: String.self)
        New(autowiring: Trip.init(to:days:engine:starter:), arguments: String.self, Int.self, name: "two")
        New(
            autowiring: Trip.init(a:b:c:), arguments: String.self, Int.self, Bool.self, name: "three",
            as: AnyObject.self)
    }

    @Test("The first parameters are arguments, and the others are resolved")
    func forms() async throws {
        let trip: Trip = try container.resolve.orThrow("Ulm")
        #expect(trip.text == "Ulm by diesel")
        #expect(
            try container.resolve.orThrow(Trip.self, name: "two", arguments: "Ulm", 2).text
                == "Ulm, 2 days by diesel, pushed")
        #expect(container.resolve(Trip.self, name: "three") { ("a", 3, true) }.text == "a 3 true")
        let object = try container.resolve.orThrow(AnyObject.self, name: "three", arguments: "a", 4, false)
        #expect((object as? Trip)?.text == "a 4 false")
        let provider: Provider<Trip, String> = try container.resolve.orThrow()
        #expect(provider("Bonn").text == "Bonn by diesel")
        #expect(try await container.resolve.async(Trip.self, arguments: "Kiel").text == "Kiel by diesel")
        let substring = "Ulm" as Any
        #expect(try container.resolve.orThrow(Trip.self, arguments: substring).text == "Ulm by diesel")
    }

    @Test("Wrong arguments and missing dependencies are errors")
    func errors() throws {
        let mismatch = try #require(failure { _ = try container.resolve.orThrow(Trip.self, arguments: 3) })
        #expect(mismatch.kind == "argumentMismatch")
        #expect(mismatch.description.contains("(String)") && mismatch.description.contains("(Int)"))
        let none = try #require(failure { _ = try container.resolve.orThrow(Trip.self) })
        #expect(none.kind == "argumentMismatch")
        container.unregister((any Engine).self)
        let missing = try #require(failure { _ = try container.resolve.orThrow(Trip.self, arguments: "Ulm") })
        #expect(missing.kind == "notRegistered" && missing.dependency.type == (any Engine).self)
    }

    @Test("Its dependencies are in the graph and in validation, like those of autowiring")
    func needs() async throws {
        let graph = container.graph
        let needs = graph.edges.filter { graph.nodes[$0.from].name == "two" }.map(\.key)
        #expect(needs == ["any Engine"])
        #expect(graph.uncheckedRegistrations.allSatisfy { $0.type == (any Engine).self })
        container.unregister((any Engine).self)
        let finding = try #require(findings(container).first)
        #expect(finding.kind == .error(.notRegistered) && finding.key == "any Engine")
    }

    @Test("Validation compares providers with the arguments, and building supplies some")
    func building() async throws {
        container.register(New(autowiring: NeedsTrip.init))
        #expect(try container.validate().isEmpty)
        container.register(New(autowiring: Trip.init(to:days:engine:starter:), arguments: String.self, Int.self))
        #expect(findings(container).contains { $0.kind == .error(.argumentMismatch) })

        container.register(New(autowiring: Trip.init(to:engine:), arguments: String.self))
        let values: [ObjectIdentifier: any Sendable] = [
            ObjectIdentifier(String.self): "Ulm", ObjectIdentifier(Int.self): 1, ObjectIdentifier(Bool.self): true,
        ]
        let mode = ValidationMode.building(includingMainActor: true) { info in
            info.arguments.compactMap { values[ObjectIdentifier($0)] }
        }
        #expect(try await container.validate(mode, allowing: [.replaced]).isEmpty)
    }
}

@Suite("Rule 9: Arguments are matched by position (arguments of asynchronous factories)", .mayHang)
struct AsyncArgumentTests {
    struct Visit: Sendable, Equatable {
        let text: String
    }

    @Test("Several arguments are matched by position, and converted as by `as?`")
    func several() async throws {
        let container = DIContainer {
            New(async: { (_, name: String, age: Int, isTame: Bool) in Visit(text: "\(name) \(age) \(isTame)") })
            Shared(async: { (_, kind: String, number: Int?) in Diesel(kind: "\(kind) \(number ?? 0)") })
        }
        #expect(try await container.resolve.async(Visit.self, arguments: "Rex", 3, true).text == "Rex 3 true")
        let inferred: Visit = try await container.resolve.async(arguments: "Rex", 4, false)
        #expect(inferred.text == "Rex 4 false")
        #expect(try await container.resolve.async(Diesel.self, arguments: "new", 5).kind == "new 5")
    }

    @Test("A mismatch of one request's arguments is not an error of another request")
    func mismatchOfAnother() async {
        for round in 0..<raceRounds {
            let container = DIContainer { Shared(async: { _, text in Visit(text: text) }) }
            async let wrong: Void = { _ = try? await container.resolve.async(Visit.self, arguments: 1) }()
            async let right = { try? await container.resolve.async(Visit.self, arguments: "right") }()
            await wrong
            #expect(await right == Visit(text: "right"), "round \(round)")
        }
    }

    @Test("Rule C10: a plain Shared(async:) request with arguments fails before the build")
    func plainRequest() async throws {
        let built = Counter()
        let container = DIContainer {
            Shared(async: { (_, number: Int) in built.counting(Ticket(number: number)) })
            New { resolve in Visit(text: "\(try resolve.orThrow(Ticket.self, arguments: 3).number)") }
        }
        let error = await #expect(throws: ResolutionError.self) { try await container.resolve.async(Visit.self) }
        #expect(
            error?.kind == "asyncRequired" && error?.key == "Ticket"
                && error?.path.map(\.key) == ["AsyncArgumentTests.Visit"])
        #expect(built.count == 0)
        #expect(try await container.resolve.async(Ticket.self, arguments: 4).number == 4)
        #expect(try await container.resolve.async(Visit.self).text == "4")
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
        for error in [direct, inFactory, awaited] {
            #expect(error?.kind == "asyncRequired" && error?.key == "Car", "\(error)")
        }
    }

    @Test("A request without arguments joins a running build that has arguments")
    func joinsWithoutArguments() async throws {
        let (gate, started) = (Gate(), Counter())
        let container = DIContainer {
            Shared(async: { (_, number: Int) in
                started.increment()
                try await gate.wait()
                return Ticket(number: number)
            })
        }
        let first = Task { try await container.resolve.async(Ticket.self, arguments: 3) }
        #expect(await eventually { started.count == 1 })
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
}

/// Every form of request, with a name and a place of its own.
@Suite("Rule 9: Arguments are matched by position (forms with a name)")
struct FormsWithANameTests {
    struct Form: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let perform: @Sendable (Resolver, RegistrationName) async throws -> Ticket

        init(_ code: String, perform: @escaping @Sendable (Resolver, RegistrationName) async throws -> Ticket) {
            testDescription = code
            self.perform = perform
        }
    }

    private static let file: StaticString = "App/Screen.swift"
    private static let closure: (@Sendable () -> Int)? = { 1 }
    private static let missingClosure: (@Sendable () -> Int)? = nil

    static let plain = [
        Form("resolve(1)") { $0(1, name: $1) },
        Form("resolve(arguments: 1)") { $0(Ticket.self, name: $1, arguments: 1) },
        Form("resolve { 1 }") { $0(Ticket.self, name: $1) { 1 } },
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
        #expect(try await form.perform(container.resolve, "named") == Ticket(number: 1))
    }

    @Test("An error has the name and the place of the request", arguments: throwing)
    func place(_ form: Form) async throws {
        let container = DIContainer { New { _, number in Ticket(number: number) } }
        let error = await #expect(throws: ResolutionError.self) {
            _ = try await form.perform(container.resolve, "missing")
        }
        #expect(error?.key == "Ticket named \"missing\"")
        #expect(error.map { "\($0.file):\($0.line)" } == "App/Screen.swift:7")
    }
}
