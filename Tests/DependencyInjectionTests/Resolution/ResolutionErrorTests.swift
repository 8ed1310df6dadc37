import DependencyInjection
import Testing

@Suite("Errors")
struct ResolutionErrorTests {
    @Test("Rules 4, 18: an error has key, place, path, suggestions and fix")
    func text() throws {
        let here: UInt = #line
        let container = DIContainer {
            Shared(autowiring: Car.init)
            Shared(Diesel())
            New { resolve in Ticket(number: try resolve.orThrow(Car.self).engine.kind.count) }
        }
        let error = try #require(failure { _ = try container.resolve.orThrow(Ticket.self) })
        #expect(error.reason == .notRegistered)
        #expect(error.key == "any Engine")
        #expect("\(error.file):\(error.line)" == "\(#fileID):\(here + 2)")
        #expect(error.path.map(\.key) == ["Ticket", "Car"])
        #expect(error.path.map { "\($0.file):\($0.line)" } == ["\(#fileID):\(here + 4)", "\(#fileID):\(here + 2)"])
        #expect(
            error.description.replacing("\(#fileID):", with: "+") == """
                Nothing is registered for any Engine.
                  requested at +\(here + 2)
                  path:
                    requested at +\(here + 6)
                    Ticket  (registered at +\(here + 4))
                    Car  (registered at +\(here + 2))
                    → any Engine
                  similar registrations:
                    Diesel  (registered at +\(here + 3))
                  fix: add `as: (any Engine).self` to the registration at +\(here + 3)
                """)
    }

    @Test("Rule 18: an error passes unchanged through initializers and factories")
    func passes() throws {
        final class Outer: Sendable { init(_ car: Car) {} }
        let container = DIContainer {
            Shared(autowiring: Outer.init)
            Shared { resolve in Car(engine: try resolve.orThrow()) }
            New { _ -> any Engine in throw Sabotage() }
        }
        let error = try #require(failure { _ = try container.resolve.orThrow(Outer.self) })
        #expect(error.kind == "factoryFailed")
        #expect(error.path.map(\.key) == ["ResolutionErrorTests.Outer", "Car"])
        #expect(error.description.contains("The factory of any Engine failed: sabotaged"))
    }

    @Test("Rule 18: failure leaves the container as it was")
    func containerUnharmed() throws {
        let container = DIContainer {
            Shared(autowiring: Car.init)
            Shared(Ticket(number: 1))
        }
        #expect(failure { _ = try container.resolve.orThrow(Car.self) }?.kind == "notRegistered")
        #expect(try container.resolve.orThrow(Ticket.self).number == 1)
        container.register(Shared { _ -> any Engine in throw Sabotage() })
        #expect(failure { _ = try container.resolve.orThrow(Car.self) }?.kind == "factoryFailed")
        container.register(Shared(Diesel() as any Engine))
        #expect(try isSame(container.resolve.orThrow(Car.self).engine, container.resolve.orThrow((any Engine).self)))
        // The path of a later error contains no step of the earlier ones.
        #expect(failure { _ = try container.resolve.orThrow(Int.self) }?.path.isEmpty == true)
    }

    @Test("Rules 4, 18: autowiring's requests have the place of the registration")
    func autowiredPlace() throws {
        let line: UInt = #line + 2
        let container = DIContainer {
            New(autowiring: Car.init)
            Shared(autowiring: { (car: Car?) in Ticket(number: 1) })
        }
        let error = try #require(failure { _ = try container.resolve.orThrow(Car.self) })
        #expect(error.key == "any Engine" && error.file == #fileID && error.line == line)
        let further = try #require(failure { _ = try container.resolve.orThrow(Ticket.self) })
        #expect(further.path.map(\.line) == [line + 1, line] && further.line == line)
    }

    @Test("Rule 2: a type mismatch names the alias and the type of its instance")
    func typeMismatch() throws {
        let container = DIContainer { Shared(Ticket(number: 1), name: "main", as: (any Engine).self) }
        let error = try #require(failure { _ = try container.resolve.orThrow((any Engine).self, name: "main") })
        #expect(error.reason == .typeMismatch)
        #expect(error.key == "any Engine named \"main\"")
        #expect(error.description.hasPrefix("Ticket is registered as any Engine named \"main\", to which it does not"))
    }

    @Test("Rule 18: a failed factory's error has its place, a cycle's error in its path")
    func registeredAt() throws {
        let line: UInt = #line + 2
        let container = DIContainer {
            Shared { _ -> Ticket in throw Sabotage() }
            New { _, number in Diesel(kind: "\(number as Int)") }
            New { resolve in Car(engine: try resolve.orThrow(Car.self).engine) }
        }
        let failed = try #require(failure { _ = try container.resolve.orThrow(Ticket.self) })
        #expect(failed.description.contains("\n  registered at \(#fileID):\(line)\n"))
        let mismatched = try #require(failure { _ = try container.resolve.orThrow(Diesel.self) })
        #expect(mismatched.description.contains("\n  registered at \(#fileID):\(line + 1)\n"))
        let cyclic = try #require(failure { _ = try container.resolve.orThrow(Car.self) })
        #expect(!cyclic.description.contains("\n  registered at"))
        #expect(cyclic.description.contains("Car  (registered at \(#fileID):\(line + 2))"))
    }

    @Test("Rule 18: a path of more than 30 steps omits and counts those in the middle")
    func longPath() throws {
        func lines(_ count: Int) throws -> [String] {
            let container = DIContainer {
                for number in 1...count {
                    New(name: RegistrationName("\(number)")) { resolve in
                        try resolve.orThrow(Ticket.self, name: RegistrationName("\(number + 1)"))
                    }
                }
            }
            let error = try #require(failure { _ = try container.resolve.orThrow(Ticket.self, name: "1") })
            #expect(error.path.count == count)
            return error.description.split(separator: "\n").map(String.init)
        }
        func shown(_ lines: [String]) -> [Int] {
            (1...100).filter { number in
                lines.contains { $0.hasPrefix("    Ticket named \"\(number)\"  (registered at") }
            }
        }
        // The nearest suggestions are shown after the path, and are not counted here.
        func path(_ count: Int) throws -> [String] {
            let lines = try lines(count)
            let last = try #require(lines.firstIndex { $0.contains("→ Ticket named \"\(count + 1)\"") })
            return Array(lines[..<last])
        }
        #expect(try shown(path(30)) == Array(1...30))
        #expect(try !path(30).contains { $0.contains("…") })
        for count in [31, 47] {
            let path = try path(count)
            #expect(shown(path) == Array(1...10) + Array(count - 9...count))
            #expect(path.contains("    … \(count - 20) more"))
        }
    }

    @Test("Rule 16: the first line of a cycle shows only the cycle, without its entry")
    func cycleHeadline() throws {
        let container = DIContainer {
            New { resolve in "\(try resolve.orThrow(Ticket.self))" }
            New { resolve in Ticket(number: try resolve.orThrow(Int.self)) }
            New { resolve in try resolve.orThrow(Double.self) > 1 ? 1 : 0 }
            New { resolve in Double(try resolve.orThrow(Ticket.self).number) }
        }
        let error = try #require(failure { _ = try container.resolve.orThrow(String.self) })
        #expect(error.path.map(\.key) == ["String", "Ticket", "Int", "Double"])
        let headline = try #require(error.description.split(separator: "\n").first)
        #expect(headline.hasSuffix(": Ticket → Int → Double → Ticket"))
        #expect(!headline.contains("String"))
    }

    @Test("Rule 18: Any and AnyObject are printed without an additional any")
    func anyAndAnyObject() throws {
        let empty = DIContainer()
        let any = try #require(failure { _ = try empty.resolve.orThrow(Any.self) })
        let object = try #require(failure { _ = try empty.resolve.orThrow(AnyObject.self) })
        #expect(any.key == "Any")
        #expect(object.key == "AnyObject")
        let container = DIContainer {
            New(1 as Any)
            New(Diesel() as AnyObject)
            Shared(Ticket(number: 2), as: Any.self)
        }
        #expect(try container.resolve.orThrow(Any.self) as? Ticket == Ticket(number: 2))
        #expect(try container.resolve.orThrow(AnyObject.self) is Diesel)
        #expect(try empty.resolve.orThrow(Any?.self) == nil && container.resolve.orThrow(AnyObject?.self) is Diesel)
        #expect(!container.isRegistered(Diesel.self) && !container.isRegistered(Int.self))
    }

    @Test("Reasons are equal if they are of one kind")
    func reasons() throws {
        let container = DIContainer { Shared(Diesel(), as: Ticket.self, Car.self) }
        let ticket = try #require(failure { _ = try container.resolve.orThrow(Ticket.self) }?.reason)
        let car = try #require(failure { _ = try container.resolve.orThrow(Car.self) }?.reason)
        #expect(ticket == car && ticket == .typeMismatch && ticket != .weakValueType)
        #expect("\(ticket)" == "typeMismatch")
        #expect(ticket.underlyingError == nil)
    }
}
