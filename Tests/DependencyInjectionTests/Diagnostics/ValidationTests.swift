import DependencyInjection
import Testing

final class Repair: Sendable { init(car: Car) {} }
final class Spare: Sendable { init(_ ticket: Ticket?) {} }
final class Desk: Sendable { init(_ make: Provider<Ticket, Int>) {} }
final class Fleet: Sendable { init(_ engines: All<any Engine>) {} }
final class Egg: Sendable { init(_ hen: Hen) {} }
final class Hen: Sendable { init(_ egg: Egg) {} }
final class LateHen: Sendable { init(_ egg: Provider<LateEgg>) {} }
final class LateEgg: Sendable { init(_ hen: LateHen) {} }
class Vehicle: @unchecked Sendable {}
final class Bicycle: Vehicle, @unchecked Sendable {}
struct Wheel: Sendable {}

final class Made<Owner, Number>: Sendable { init() {} }
struct Value<Owner>: Sendable {}
final class Outer<Owner>: Sendable { init(_ value: Value<Owner>) {} }

/// One fault of each kind.
private func faulty<T>(_ type: T.Type) -> Module {
    let name = RegistrationName("\(type)")
    return Module {
        New(autowiring: { (_: Made<T, Int>) in Made<T, Int8>() })
        Shared(autowiring: { (_: Made<T, Int16>) in Made<T, Int32>() })
        Shared(autowiring: { (_: Made<T, Int32>) in Made<T, Int16>() })
        New { (_, _: Int) in Made<T, Int64>() }
        New(autowiring: { (_: Made<T, Int64>) in Made<T, UInt8>() })
        Shared(Value<T>(), name: name, as: (any Engine).self)
        Weak(Value<T>(), name: "weak")
        New(async: { _ in Made<T, UInt16>() })
        New(autowiring: { (_: Made<T, UInt16>) in Made<T, UInt32>() })
        Shared(mainActor: Made<T, UInt64>())
        New(autowiring: { (_: Made<T, UInt64>) in Made<T, Float>() })
        Scoped(Made<T, Double>())
        Shared(autowiring: { (_: Made<T, Double>) in Made<T, Character>() })
        Shared(Made<T, String>())
        Shared(Made<T, String>())
        Shared(Value<T>?.none)
        Shared(Outer<T>.init)
        Shared(Made<T, Bool>(), name: "stagin")
        Decorate(Made<T, Bool>.self, name: "staging") { base, _ in base }
        Shared(async: { _ in Made<T, Substring>() })
        New(autowiring: { (_: Made<T, Substring>) in Made<T, Void>() })
    }
}

private func findings(_ container: DIContainer) -> [ValidationFinding] {
    do { return try container.validate() } catch { return error.findings }
}

@Suite("Validation of what is declared")
struct ValidationTests {
    /// What is found if there is exactly one finding.
    private func only(
        _ container: DIContainer, _ location: SourceLocation = #_sourceLocation
    ) throws -> ValidationFinding {
        let found = findings(container)
        #expect(found.count == 1, "\(found)", sourceLocation: location)
        return try #require(found.first, sourceLocation: location)
    }

    @Test("a missing dependency, once however many need it, with the path from the root and what is near")
    func missing() throws {
        let line: UInt = #line + 2
        let container = DIContainer {
            Shared(autowiring: Repair.init)
            Shared(autowiring: Car.init)
            New(autowiring: { (engine: any Engine) in Ticket(number: 1) })
            Shared(Diesel(), name: "old", as: (any Engine).self)
        }
        let finding = try only(container)
        #expect(finding.kind == .error(.notRegistered) && finding.isError && finding.key == "any Engine")
        #expect(finding.file == #fileID && finding.line == line + 1)
        #expect(finding.path.map(\.key) == ["Repair", "Car"])
        let text = finding.description
        #expect(text.hasPrefix("Nothing is registered for any Engine, which Car needs.\n  registered are:"))
        #expect(text.contains("\n    Repair  (registered at \(#fileID):\(line))\n    Car  (registered at"))
        let near = "any Engine named \"old\"  (registered at \(#fileID):\(line + 3))"
        #expect(text.contains("\n    \(near)\n  registered at"))
        #expect(text.contains("\n  fix: register it, or make the parameter an Optional."))
        container.register(Shared(Diesel() as any Engine))
        #expect(findings(container).isEmpty)
    }

    @Test("an alias that leads to nothing is a missing dependency")
    func danglingAlias() throws {
        let container = DIContainer { Shared(Diesel(), as: (any Engine).self) }
        #expect(findings(container).isEmpty)
        container.unregister(Diesel.self)
        let finding = try only(container)
        #expect(finding.kind == .error(.notRegistered) && finding.key == "Diesel")
    }

    @Test("Optionals, providers and collections need what they are made of, and no registration")
    func derived() throws {
        let good = DIContainer {
            New(autowiring: Spare.init)
            New(autowiring: Fleet.init)
            New(autowiring: { (makers: Provider<Ticket?>?) in Wheel() })
        }
        #expect(findings(good).isEmpty)
        let missing = DIContainer { New(autowiring: Desk.init) }
        #expect(try only(missing).key == "Ticket")
        missing.register(New { _, number in Ticket(number: number) })
        #expect(findings(missing).isEmpty)
        // What is registered for an Optional or in a collection must be complete itself.
        good.register { New(autowiring: { (wheel: Bicycle) in Ticket(number: 1) }) }
        #expect(try only(good).path.map(\.key) == ["Spare", "Ticket"])
        good.register { Shared(autowiring: { (ticket: Hen) in Diesel() as any Engine }, name: "hen") }
        #expect(findings(good).map(\.key) == ["Bicycle", "Hen"])
    }

    @Test("a cycle, once; one that a provider breaks is none")
    func cycle() throws {
        let finding = try only(
            DIContainer {
                Shared(autowiring: Hen.init)
                New(autowiring: Egg.init)
            })
        #expect(finding.kind == .error(.cycle) && finding.isError)
        #expect(finding.description.hasPrefix("Building Hen needs Hen itself: Hen → Egg → Hen\n"))
        #expect(finding.path.map(\.key) == ["Hen", "Egg"])
        let broken = DIContainer {
            Shared(autowiring: LateHen.init)
            Shared(autowiring: LateEgg.init)
        }
        #expect(findings(broken).isEmpty)
        let own = DIContainer { Shared(autowiring: { (engine: any Engine) in Diesel() }, as: (any Engine).self) }
        #expect(try only(own).path.map(\.key) == ["Diesel", "any Engine"])
    }

    @Test("a need of what takes arguments, or of what takes other ones than a provider supplies")
    func arguments() throws {
        let container = DIContainer {
            New { _, number in Ticket(number: number) }
            New(autowiring: Spare.init)
        }
        let finding = try only(container)
        #expect(finding.kind == .error(.argumentMismatch) && finding.isError)
        #expect(finding.description.hasPrefix("Spare needs Ticket, whose factory takes (Int), and supplies ()."))
        let other = DIContainer {
            New { _, text in Ticket(number: (text as String).count) }
            New(autowiring: Desk.init)
        }
        #expect(try only(other).description.contains("takes (String), and supplies (Int)."))
        for registration in [
            New { _, number in Ticket(number: number) }, New { _, any in Ticket(number: (any as Any) as! Int) },
            New { _, maybe in Ticket(number: (maybe as Int?) ?? 0) },
        ] {
            other.register(registration)
            #expect(findings(other).map(\.kind) == [.replaced])
        }
    }

    @Test("an alias that does not conform, as far as types tell")
    func alias() throws {
        let finding = try only(DIContainer { Shared(Wheel(), as: (any Engine).self) })
        #expect(finding.kind == .error(.typeMismatch) && finding.isError && finding.key == "any Engine")
        let text = "Wheel is registered with any Engine in `as:`, and does not conform."
        #expect(finding.description.hasPrefix(text))
        #expect(try only(DIContainer { Shared(Vehicle(), as: Diesel.self) }).kind == .error(.typeMismatch))
        let good = DIContainer {
            Shared(Diesel(), as: (any Engine).self, (any Starter).self, AnyObject.self, Any.self)
            Shared(Diesel() as any Engine, name: "x", as: (any Starter).self)
            Shared(Bicycle(), as: Vehicle.self)
            Shared(Bicycle() as Vehicle, name: "x", as: Bicycle.self)
            Shared(1, as: (any Hashable).self)
        }
        #expect(findings(good).isEmpty)
    }

    @Test("a value that is registered with Weak")
    func weakValue() throws {
        let finding = try only(DIContainer { Weak(Wheel()) })
        #expect(finding.kind == .error(.weakValueType) && finding.isError && finding.key == "Wheel")
        #expect(
            findings(
                DIContainer {
                    Weak(Diesel())
                    Weak(Diesel() as any Engine)
                }
            ).isEmpty)
    }

    @Test("an asynchronous need: an error of what await builds each time, a warning of what can be prepared")
    func asynchronous() async throws {
        let finding = try only(
            DIContainer {
                New(async: { _ in Ticket(number: 1) })
                New(autowiring: Spare.init)
            })
        #expect(finding.kind == .error(.asyncRequired) && finding.isError && finding.key == "Ticket")
        let container = DIContainer {
            Shared(async: { _ in Diesel() }, as: (any Engine).self)
            New(autowiring: Car.init)
        }
        let warning = try only(container)
        #expect(warning.kind == .unpreparedNeed && !warning.isError)
        #expect(warning.description.contains("fix: call `try await container.prepare()` before."))
        try await container.prepare()
        #expect(findings(container).isEmpty)
    }

    @Test("a need of what belongs to the main actor, of a factory that may run elsewhere")
    func mainActor() throws {
        let finding = try only(
            DIContainer {
                Shared(mainActor: Diesel(), as: (any Engine).self)
                New(autowiring: Car.init)
            })
        #expect(finding.kind == .error(.mainActorRequired) && finding.isError && finding.key == "any Engine")
        let good = DIContainer {
            New(mainActor: { _, number in Ticket(number: number) })
            New(autowiring: Desk.init)
        }
        #expect(findings(good).isEmpty)
    }

    @Test("warns of a Shared that keeps a Scoped, through an alias too")
    func scoped() throws {
        let container = DIContainer {
            Scoped(Diesel(), as: (any Engine).self)
            Shared(autowiring: Car.init)
        }
        let finding = try only(container)
        #expect(finding.kind == .sharedKeepsScoped && !finding.isError)
        #expect(
            finding.description.hasPrefix("Car needs any Engine, which is scoped, and keeps the first one for good."))
        #expect(findings(DIContainer { Scoped(autowiring: Fleet.init) }).isEmpty)
    }

    @Test("warns of a registration that a later one replaced, and not of one that replaces itself")
    func replaced() throws {
        let line: UInt = #line + 1
        let container = DIContainer { Shared(Diesel()) }
        let again = Module { Decorate(Diesel.self) { base, _ in base } }
        container.register { again }
        container.register { New(Diesel()) }
        container.register { again }
        let finding = try only(container)
        #expect(finding.kind == .replaced && !finding.isError && finding.line == line + 3)
        #expect(finding.description.contains("replaces what was registered at \(#fileID):\(line)."))
        for fork in [container.fork(), container.makeChild().fork(), container.makeChild { again }.fork()] {
            #expect(try only(fork).kind == .replaced)
        }
        let module = Module { Shared(Diesel()) }
        let good = DIContainer { module }
        good.register { module }
        good.unregister(Diesel.self)
        good.register { Shared(Diesel()) }
        #expect(findings(good).isEmpty)
    }

    @Test("warns of an Optional that is registered")
    func optional() throws {
        let finding = try only(DIContainer { Shared(Ticket?.none) })
        #expect(finding.kind == .optionalRegistration && !finding.isError)
        #expect(finding.description.hasPrefix("Optional<Ticket> is an Optional, which answers no request."))
    }

    @Test("warns of an initializer that is registered, and not of a closure")
    func function() throws {
        let finding = try only(DIContainer { Shared(Car.init) })
        #expect(finding.kind == .missingAutowiring && finding.description.contains("write `autowiring:` before it"))
        let good = DIContainer {
            Shared(Diesel.init)
            New({ (number: Int) in Ticket(number: number) } as @Sendable (Int) -> Ticket)
            New({ _ in } as @Sendable (Ticket) -> Void, name: "handler")
            New({ _ in true } as @Sendable (Ticket) -> Bool)
            New({ Ticket(number: 1) } as @Sendable () -> Ticket, name: "maker")
        }
        #expect(findings(good).isEmpty)
    }

    @Test("warns of a name that nobody asks for and that nearly matches one that is asked for")
    func similarName() throws {
        let container = DIContainer {
            Shared(Ticket(number: 1), name: "stagin")
            Shared(Ticket(number: 2), name: "production")
            Decorate(Ticket.self, name: "staging") { base, _ in base }
        }
        let found = findings(container)
        #expect(found.map(\.kind) == [.unusedDecorator, .similarName] && found.allSatisfy { !$0.isError })
        #expect(
            found[1].description.hasPrefix(
                "Ticket named \"stagin\" is asked for by nobody, and Ticket named \"staging\" is."))
        container.register(Shared(Ticket(number: 3), name: "staging"))
        #expect(findings(container).isEmpty)
        let aliases = DIContainer {
            Shared(Diesel(), name: "main", as: (any Engine).self, (any Starter).self)
            Shared(Diesel(), name: "mian")
            Shared(Diesel(), name: "spare")
        }
        #expect(findings(aliases).isEmpty)
        aliases.unregister(Diesel.self, name: "main")
        #expect(findings(aliases).map(\.kind) == [.error(.notRegistered), .similarName])
        #expect(findings(aliases).last?.key == "Diesel named \"mian\"")
    }

    @Test("looks at a child with what it inherits, each registration with the eyes of whoever builds it")
    func child() throws {
        let parent = DIContainer {
            Shared(autowiring: Car.init)
            Scoped(autowiring: Repair.init)
            New(autowiring: { (ticket: Ticket) in Wheel() })
        }
        let child = parent.makeChild {
            Shared(Diesel() as any Engine)
            Shared(Ticket(number: 1))
        }
        // The parent's Shared does not see the child's engine, and its New sees the child's ticket.
        #expect(findings(child).map(\.key) == ["any Engine"])
        #expect(findings(parent).map(\.key) == ["any Engine", "Ticket"])
        let whole = child.makeChild { Decorate(Car.self) { base, _ in base } }
        #expect(findings(whole).map(\.key) == ["any Engine"])
    }

    @Test("looks for what a child's decorator wraps with the eyes of the child, and once")
    func decoratedInChild() {
        let parent = DIContainer {
            New(autowiring: Repair.init)
            New(autowiring: Repair.init)
            Shared(Wheel())
        }
        let child = parent.makeChild {
            Shared(Car(engine: Diesel()))
            Decorate(Repair.self) { base, _ in base }
        }
        _ = child.resolve(Repair.self)
        #expect(findings(child).map(\.kind) == [.replaced])
        #expect(child.graph.edges.contains { $0.key == "Car" && $0.to != nil })
    }

    @Test("takes no error for one that a conversion by `as?` mends, and no closure in a type for an initializer")
    func conversions() {
        let container = DIContainer {
            New { (_: Resolver, vehicles: [Vehicle], number: Int) in Ticket(number: number) }
            New(autowiring: { (make: Provider<Ticket, [Bicycle], Int?>) in Wheel() })
            Shared([Bicycle](), as: [Vehicle].self)
            Shared(1, as: AnyHashable.self)
            Shared((1, { @Sendable (wheel: Wheel) in wheel }))
            Shared([{ @Sendable (wheel: Wheel) in wheel }])
        }
        #expect(findings(container).isEmpty, "\(findings(container))")
    }

    @Test("reports each of many faults once, errors first, and numbers them; warnings alone do not throw")
    func report() throws {
        let container = DIContainer {
            Shared(Wheel(), as: (any Engine).self)
            Shared(autowiring: Hen.init)
            New(autowiring: Egg.init)
            New(autowiring: Desk.init)
            New { _, text in Ticket(number: (text as String).count) }
            New(autowiring: Repair.init)
            Weak(Wheel(), name: "weak")
            Shared(Vehicle?.none)
            New(Repair.init)
            Scoped(Vehicle())
            Shared(autowiring: { (vehicle: Vehicle) in 1.5 })
            New(async: { _ in "text" })
            New(autowiring: { (text: String) in Character("a") })
            Shared(mainActor: Bicycle())
            Shared(autowiring: { (bicycle: Bicycle) in 2 })
            Decorate(Bool.self) { base, _ in base }
            Shared(1)
        }
        let error = try #require(throws: DIContainer.ValidationError.self) { try container.validate() }
        let found = error.findings
        let kinds: [ValidationFinding.Kind] = [
            .error(.typeMismatch), .error(.argumentMismatch), .error(.notRegistered), .error(.weakValueType),
            .error(.asyncRequired), .error(.cycle),
            .sharedKeepsScoped, .replaced, .optionalRegistration, .missingAutowiring, .unusedDecorator,
        ]
        for kind in kinds { #expect(found.count { $0.kind == kind } == 1, "\(error)") }
        #expect(found.count == kinds.count, "\(error)")
        #expect(found.map(\.isError) == [Bool](repeating: true, count: 6) + [Bool](repeating: false, count: 5))
        #expect(error.description.hasPrefix("11 findings:\n1. error: "))
        #expect(error.description.contains("\n11. warning: "))
        container.seal()
        let warnings = try DIContainer { Shared(Ticket?.none) }.validate()
        #expect(warnings.count == 1)
    }

    @Test("reports each of 42 faults of all kinds once")
    func allKinds() {
        let found = findings(
            DIContainer {
                faulty(Int.self)
                faulty(String.self)
                faulty(Bool.self)
            })
        let kinds: [ValidationFinding.Kind] = [
            .error(.notRegistered), .error(.cycle), .error(.argumentMismatch), .error(.typeMismatch),
            .error(.weakValueType), .error(.asyncRequired),
            .error(.mainActorRequired), .sharedKeepsScoped, .replaced, .optionalRegistration, .missingAutowiring,
            .similarName,
            .unusedDecorator,
            .unpreparedNeed,
        ]
        for kind in kinds { #expect(found.count { $0.kind == kind } == 3, "\(found)") }
        #expect(found.count == 42)
        #expect(Set(found.map(\.description)).count == 42)
    }

    @Test("takes well under 0.3 s for 1,000 registrations that need one another")
    func duration() {
        let container = DIContainer {
            for number in 0..<1_000 {
                New(autowiring: { (engine: any Engine, car: Car) in Ticket(number: number) }, name: .init("\(number)"))
            }
            Shared(autowiring: Car.init)
            Shared(Diesel(), as: (any Engine).self)
        }
        let duration = ContinuousClock().measure { #expect(findings(container).isEmpty) }
        // An unoptimised build beside other work takes several times as long.
        #expect(duration < .seconds(2))
        print("1,000 registrations validate in \(duration)")
    }
}
