import DependencyInjection
import Testing

@Suite("Errors")
struct ResolutionErrorTests {
    @Test("Rules 4, 18: an error has key, place, path, suggestions and fix")
    func text() throws {
        let registered: UInt = #line + 2
        let container = DIContainer {
            Shared(autowiring: Car.init)
            Shared(Diesel())
            New { resolve in Ticket(number: try resolve.orThrow(Car.self).engine.kind.count) }
            Shared(Diesel() as any Starter, name: "main")
        }
        let error = try #require(failure { _ = try container.resolve.orThrow(Ticket.self) })
        #expect(error.kind == "notRegistered")
        #expect(error.key == "any Engine")
        #expect(error.path.map(\.key) == ["Ticket", "Car"])
        #expect(error.path.map(\.line) == [registered + 2, registered])
        #expect(error.path[0].file == #fileID)
        #expect(error.file == #fileID)
        let text = error.description
        #expect(text.contains("Nothing is registered for any Engine."))
        #expect(text.contains("Ticket  (registered at \(#fileID):\(registered + 2))"))
        #expect(text.contains("Car  (registered at \(#fileID):\(registered))"))
        #expect(text.contains("→ any Engine"))
        #expect(text.contains("requested at \(#fileID):\(registered)"))
        #expect(
            text.hasSuffix("\n   or: add `as: (any Engine).self` to the registration at \(#fileID):\(registered + 1)"))

        let asked: UInt = #line + 1
        let direct = try #require(failure { _ = try container.resolve.orThrow((any Starter).self) })
        #expect(direct.line == asked)
        #expect(direct.path.isEmpty)
        #expect(direct.suggestions.first?.hasPrefix("any Starter named \"main\"") == true)
        #expect(direct.description.contains("resolve((any Starter).self, name: \"main\")"))
    }

    @Test("Rule 18: the nearest suggestions come first")
    func suggestions() throws {
        struct LoggerImpl: Sendable {}
        struct Loger: Sendable {}
        struct Unrelated: Sendable {}
        struct Logger: Sendable {}
        let container = DIContainer {
            Shared(Unrelated())
            Shared(Loger())
            Shared(LoggerImpl())
            Shared(Logger(), name: "file")
        }
        let error = try #require(failure { _ = try container.resolve.orThrow(Logger.self) })
        #expect(
            error.suggestions.map { $0.prefix { $0 != " " } }
                == ["Logger", "LoggerImpl", "Loger"].map { "ResolutionErrorTests.\($0)" })
        container.unregister(Logger.self, name: "file")
        let second = try #require(failure { _ = try container.resolve.orThrow(Logger.self) })
        #expect(second.description.contains("`container.register { Shared(… as ResolutionErrorTests.Logger) }`"))
        let named = try #require(failure { _ = try container.resolve.orThrow(Loger.self, name: "x") })
        #expect(named.description.contains("request it without a name"))
    }

    @Test("Rule 18: advice has the name and puts a function type in parentheses")
    func adviceWithNames() {
        func text(_ work: () throws -> Void) -> String { failure(work)?.description ?? "no failure" }
        let empty = text { _ = try DIContainer().resolve.orThrow(Ticket.self, name: "main") }
        #expect(
            empty.hasSuffix(
                "register it: `container.register { Shared(… as Ticket, name: \"main\") }`"))
        final class EngineImpl: Engine { let kind = "implemented" }
        let similar = DIContainer { Shared(EngineImpl()) }
        let other = text { _ = try similar.resolve.orThrow((any Engine).self, name: "main") }
        #expect(other.hasSuffix("fix: register it as that type: `Shared(… as any Engine, name: \"main\")`"))
        typealias Count = @Sendable () -> Int
        let functions = DIContainer { Shared(async: { _ -> Count in { 1 } }) }
        let function = text { _ = try functions.resolve.orThrow(Count.self) }
        #expect(function.contains("`try await resolve.async((@Sendable () -> Int).self)`"))
    }

    @Test("Rule 18: no advice to autowire a function for a requested function")
    func functionForFunction() throws {
        let container = DIContainer { Shared({ $0 } as @Sendable (Int) -> Int) }
        let error = try #require(failure { _ = try container.resolve.orThrow((@Sendable (Int) -> UInt).self) })
        #expect(!error.suggestions.isEmpty)
        #expect(!error.description.contains("autowiring"))
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
        #expect(error.reason == .typeMismatch && error.reason.instanceType == "Ticket")
        #expect(error.key == "any Engine named \"main\"")
        #expect(error.description.contains("any Engine named \"main\" is an alias of an instance of Ticket"))
    }

    @Test("Rule 18: a type whose name is part of the requested name is suggested")
    func nameWithin() throws {
        struct Logger: Sendable {}
        struct AsynchronousFileLogger: Sendable {}
        let line: UInt = #line + 1
        let parent = DIContainer { Shared(Logger()) }
        let child = parent.makeChild { Shared(Ticket(number: 1)) }
        for container in [parent, child, child.makeChild()] {
            let error = try #require(failure { _ = try container.resolve.orThrow(AsynchronousFileLogger.self) })
            #expect(error.suggestions == ["ResolutionErrorTests.Logger  (registered at \(#fileID):\(line))"])
        }
    }

    @Test("Rule 18: an overridden registration of a parent is not suggested")
    func overriddenCandidate() throws {
        let parent = DIContainer { Shared(Diesel(), name: "main") }
        let line: UInt = #line + 1
        let child = parent.makeChild { Shared(Diesel(), name: "main") }
        let error = try #require(failure { _ = try child.resolve.orThrow(Diesel.self) })
        #expect(error.suggestions == ["Diesel named \"main\"  (registered at \(#fileID):\(line))"])
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

    @Test("Rule 18: a plain New(async:) request gets the advice to await, not to prepare")
    func newAsync() throws {
        let container = DIContainer { New(async: { _ in Diesel() as any Engine }) }
        let error = try #require(failure { _ = try container.resolve.orThrow((any Engine).self) })
        #expect(error.kind == "asyncRequired")
        #expect(error.description.contains("`try await resolve.async((any Engine).self)`"))
        #expect(!error.description.contains("prepare"))
    }

    @Test("Rule 18: Any and AnyObject are printed without an additional any")
    func anyAndAnyObject() throws {
        let empty = DIContainer()
        let any = try #require(failure { _ = try empty.resolve.orThrow(Any.self) })
        let object = try #require(failure { _ = try empty.resolve.orThrow(AnyObject.self) })
        #expect(any.key == "Any" && any.description.contains("as Any)"))
        #expect(object.key == "AnyObject" && object.description.contains("as AnyObject)"))
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

    @Test("The error of a metatype that is compared in its request mentions nil")
    func comparisonWithNil() throws {
        let container = DIContainer { Shared(Diesel.self as any Engine.Type) }
        // The compiler turns `orThrow(Diesel.self) == type` into this expression and warns of it.
        let error = try #require(
            failure { _ = try container.resolve.orThrow(arguments: Diesel.self) as _OptionalNilComparisonType })
        let advice = "fix: resolve before the comparison with nil: `let type: any P.Type = resolve()`"
        #expect(error.description.hasSuffix(advice))
        let type: any Engine.Type = try container.resolve.orThrow()
        #expect(type is Diesel.Type)
    }

    @Test("An error explains how to get a requested container or resolver")
    func requestForContainer() throws {
        final class Owner: Sendable {
            let app: DIContainer
            init(app: DIContainer) { self.app = app }
        }
        let container = DIContainer { Shared(autowiring: Owner.init) }
        let advice = """
            fix: use the resolver of a factory: `Shared { resolve in … }`
               or: use `DIContainer.current` for the container itself
            """
        let needed = try #require(failure { _ = try container.resolve.orThrow(Owner.self) })
        #expect(needed.description.hasSuffix(advice))
        #expect(failure { _ = try container.resolve.orThrow(Resolver.self) }?.description.hasSuffix(advice) == true)
        container.register(Shared { _ in Owner(app: .current) })
        let child = container.resolve(Owner.self).app.makeChild { Shared(1) }
        #expect(try child.resolve.orThrow(Owner.self) === container.resolve.orThrow(Owner.self))
    }

    @Test("Reasons are equal if they are of one kind")
    func reasons() throws {
        let container = DIContainer { Shared(Diesel(), as: Ticket.self, Car.self) }
        let ticket = try #require(failure { _ = try container.resolve.orThrow(Ticket.self) }?.reason)
        let car = try #require(failure { _ = try container.resolve.orThrow(Car.self) }?.reason)
        #expect(ticket == car && ticket == .typeMismatch && ticket != .weakValueType)
        #expect("\(ticket)" == "typeMismatch")
        #expect(ticket.expectedArguments == nil && ticket.underlyingError == nil)
    }
}
