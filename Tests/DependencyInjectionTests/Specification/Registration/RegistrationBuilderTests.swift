import DependencyInjection
import Testing

@Suite("Rule 5: The builder accepts ordinary control flow")
struct RegistrationBuilderTests {
    enum Build { case debug, release, profile }

    private func container(_ build: Build, extra: Int?, more: Bool) -> DIContainer {
        DIContainer {
            switch build {
            case .debug: Shared("debug")
            case .release: Shared("release")
            case .profile:
                Shared("profile")
                Shared(1.5)
            }
            if let extra { Shared(extra) }
            if more { Shared(true) } else { Shared("none", name: "more") }
            for number in 1...3 { Shared(Ticket(number: number), name: RegistrationName("\(number)")) }
            if #available(macOS 15, iOS 18, *) { Shared(UInt8(8)) }
            Module([New(Int16(16)), New(Int32(32))])
            [New(Int16(16), name: "one"), New(Int16(32), name: "two")]
            Module("nested") {
                Shared(Int64(64))
                Module { Shared(Float(0.5)) }
            }
            for each in [Shared("in an array", name: "array"), New(Float(2), name: "array")]
                as [any RegistrationConvertible]
            {
                each
            }
            Shared(Diesel(), as: (any Engine).self).registrations
        }
    }

    @Test("Accepts if, if let, else, switch, for, #available, arrays and modules")
    func controlFlow() throws {
        let first = container(.debug, extra: 7, more: true)
        #expect(try first.resolve.orThrow(String.self) == "debug")
        #expect(try first.resolve.orThrow(Int.self) == 7)
        #expect(try first.resolve.orThrow(Bool.self))
        #expect(!first.isRegistered(String.self, name: "more"))
        #expect((1...3).map { first.resolve(Ticket.self, name: RegistrationName("\($0)")).number } == [1, 2, 3])
        #expect(try first.resolve.orThrow(UInt8.self) == 8)
        #expect(try first.resolve.orThrow(Int16.self) == 16 && first.resolve.orThrow(Int32.self) == 32)
        #expect(try first.resolve.orThrow(Int64.self) == 64 && first.resolve.orThrow(Float.self) == 0.5)
        #expect(try first.resolve.orThrow(String.self, name: "array") == "in an array")
        #expect(try first.resolve.orThrow(Float.self, name: "array") == 2)
        #expect(try first.resolve.orThrow((any Engine).self).kind == "diesel")

        let second = container(.profile, extra: nil, more: false)
        #expect(try second.resolve.orThrow(String.self) == "profile" && second.resolve.orThrow(Double.self) == 1.5)
        #expect(!second.isRegistered(Int.self))
        #expect(try second.resolve.orThrow(String.self, name: "more") == "none")
    }

    // MARK: Modules

    private static let carLine: UInt = #line + 3
    private static let enginesLine = carLine + 1
    private let garage = Module("Garage") {
        Shared { _ -> Car in throw Sabotage() }
        Module("Engines") { Shared(Diesel(), as: (any Engine).self, Ticket.self) }
        Module(New { resolve in [try resolve.orThrow(Car.self)] })
    }

    @Test("Errors, paths and suggestions show a registration's innermost named module")
    func name() throws {
        let container = DIContainer {
            garage
            Shared(Pool())
        }
        let cars = try #require(container.error(of: [Car].self))
        #expect(cars.path.map(\.module) == ["Garage"])
        #expect(cars.description.contains(":\(Self.carLine) in module \"Garage\"\n  path:"))
        let alias = try #require(container.error(of: Ticket.self))
        #expect(alias.description.contains(":\(Self.enginesLine) in module \"Engines\""))
        let diesel = try #require(container.error(of: Diesel.self, name: "main"))
        #expect(diesel.suggestions.first?.hasSuffix(":\(Self.enginesLine) in module \"Engines\")") == true)
        let pool = try #require(failure { _ = try container.resolve.orThrow(Pool.self, arguments: 1) })
        #expect(pool.description.contains("registered at ") && !pool.description.contains("in module"))
    }

    @Test("A registration has its module, also as the target of an alias")
    func registrations() {
        #expect(garage.registrations.map(\.module) == ["Garage", "Engines", "Engines", "Engines", "Garage"])
        #expect(garage.name == "Garage" && Module(garage).name == nil)
        #expect(Module(garage).registrations.map(\.module) == garage.registrations.map(\.module))
        #expect(Module("Outer") { garage }.registrations.map(\.module) == garage.registrations.map(\.module))
        #expect(DIContainer { garage }.resolve((any Engine).self) is Diesel)
    }

    @Test("Modules accept one registration, several, and lists of different ones")
    func contents() throws {
        let extras: [any RegistrationConvertible] = [Shared(Pool()), New(1), Module(Weak(Diesel()))]
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
        let place = "\(#fileID):\(Self.enginesLine) in module \"Engines\""
        #expect("\(garage.registrations[1])" == "Diesel: shared, registered at \(place)")
        #expect("\(garage.registrations[2])" == "any Engine: alias of Diesel, registered at \(place)")
        let decorator = Decorate(Int.self, name: "main", file: "File.swift", line: 3) { base, _ in base }.registrations[
            0]
        #expect("\(decorator)" == "Int named \"main\": decorator, registered at File.swift:3")
    }
}
