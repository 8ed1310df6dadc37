import DependencyInjection
import Testing

@Suite("Arguments of asynchronous factories", .mayHang)
struct AsyncArgumentTests {
    struct Visit: Sendable, Equatable {
        let text: String
    }

    @Test("Rule 9: several arguments are matched by position, and converted as by `as?`")
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

    @Test("Rule 9: a mismatch of one request's arguments is not an error of another request")
    func mismatchOfAnother() async {
        for _ in 0..<raceRounds {
            let container = DIContainer { Shared(async: { _, text in Visit(text: text) }) }
            async let wrong: Void = { _ = try? await container.resolve.async(Visit.self, arguments: 1) }()
            async let right = { try? await container.resolve.async(Visit.self, arguments: "right") }()
            await wrong
            #expect(await right == Visit(text: "right"))
        }
    }

    @Test("Rule C10: a plain Shared(async:) request with arguments fails before the build")
    func plainRequest() async throws {
        let built = Counter()
        let container = DIContainer {
            Shared(async: { (_, number: Int) in
                built.increment()
                return Ticket(number: number)
            })
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
        for error in [direct, inFactory, awaited] { #expect(error?.kind == "asyncRequired" && error?.key == "Car") }
    }

    @Test("Rule 9: a request without arguments joins a running build that has arguments")
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
