import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("Autowiring with arguments")
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

    @Test("Rule 9: the first parameters are arguments, and the others are resolved")
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

    @Test("Rule 9: wrong arguments and missing dependencies are errors")
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
        let error = #expect(throws: DIContainer.ValidationError.self) { try container.validate() }
        let finding = try #require(error?.findings.first)
        #expect(finding.kind == .error(.notRegistered) && finding.key == "any Engine")
    }

    @Test("Validation compares providers with the arguments, and building supplies some")
    func building() async throws {
        container.register(New(autowiring: NeedsTrip.init))
        #expect(try container.validate().isEmpty)
        container.register(New(autowiring: Trip.init(to:days:engine:starter:), arguments: String.self, Int.self))
        let error = #expect(throws: DIContainer.ValidationError.self) { try container.validate() }
        #expect(error?.findings.contains { $0.kind == .error(.argumentMismatch) } == true)

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
