import DependencyInjection
import Testing

@Suite("Modules")
struct ModuleTests {
    struct Part: Sendable {}

    private let garage = Module("Garage") {
        Shared { _ -> Car in throw Sabotage() }
        Module("Engines") { Shared(Diesel(), as: (any Engine).self, Ticket.self) }
        Module(New { resolve in [try resolve.orThrow(Car.self)] })
    }

    @Test("Errors, paths and suggestions show a registration's innermost named module")
    func name() throws {
        let container = DIContainer {
            garage
            Shared(Part())
        }
        let cars = try #require(failure { _ = try container.resolve.orThrow([Car].self) })
        #expect(cars.path.map(\.module) == ["Garage"])
        #expect(cars.description.contains(":9 in module \"Garage\"\n  path:"))
        let alias = try #require(failure { _ = try container.resolve.orThrow(Ticket.self) })
        #expect(alias.description.contains(":10 in module \"Engines\""))
        let diesel = try #require(failure { _ = try container.resolve.orThrow(Diesel.self, name: "main") })
        #expect(diesel.suggestions.first?.hasSuffix(":10 in module \"Engines\")") == true)
        let part = try #require(failure { _ = try container.resolve.orThrow(Part.self, arguments: 1) })
        #expect(part.description.contains("registered at ") && !part.description.contains("in module"))
    }

    @Test("A registration has its module, also as the target of an alias")
    func registrations() {
        #expect(garage.registrations.map(\.module) == ["Garage", "Engines", "Engines", "Engines", "Garage"])
        #expect(Module(garage).registrations.map(\.module) == garage.registrations.map(\.module))
        #expect(Module("Outer") { garage }.registrations.map(\.module) == garage.registrations.map(\.module))
        #expect(DIContainer { garage }.resolve((any Engine).self) is Diesel)
    }

    @Test("Modules accept one registration, several, and lists of different ones")
    func contents() throws {
        let extras: [any RegistrationConvertible] = [Shared(Part()), New(1), Module(Weak(Diesel()))]
        let container = DIContainer {
            Module(extras)
            Module(Shared("text"), New(2.0))
        }
        #expect(try container.resolve.orThrow(Int.self) == 1 && container.resolve.orThrow(Double.self) == 2)
        #expect(Module(extras).registrations.count == 3 && Module([Shared("a")]).name == nil)
    }

    @Test("Modules and registrations have one-line descriptions")
    func descriptions() {
        #expect("\(garage)" == "Module(\"Garage\", registrations: 5)")
        #expect("\(Module(New(1)))" == "Module(registrations: 1)")
        let file = "DependencyInjectionTests/ModuleTests.swift"
        #expect("\(garage.registrations[1])" == "Diesel: shared, registered at \(file):10 in module \"Engines\"")
        #expect(
            "\(garage.registrations[2])"
                == "any Engine: alias of Diesel, registered at \(file):10 in module \"Engines\"")
        let decorator = Decorate(Int.self, name: "main", file: "File.swift", line: 3) { base, _ in base }.registrations[
            0]
        #expect("\(decorator)" == "Int named \"main\": decorator, registered at File.swift:3")
    }
}
