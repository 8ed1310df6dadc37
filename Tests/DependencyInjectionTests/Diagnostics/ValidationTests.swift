import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

// Types that the tests of this folder register, besides the shared fixtures.

/// A type that depends on another one.
final class Dependent<Dependency>: @unchecked Sendable {
    let dependency: Dependency
    init(_ dependency: Dependency) { self.dependency = dependency }
}

/// A type of its own for each type argument. A factory may pass what it has resolved.
final class Piece<Kind>: Sendable { init(_ resolved: Any? = nil) {} }

/// Two types that depend on each other.
final class Egg: Sendable { init(_ hen: Hen) {} }
final class Hen: Sendable { init(_ egg: Egg) {} }

class Vehicle: @unchecked Sendable {}
final class Bicycle: Vehicle, @unchecked Sendable {}
struct Wheel: Sendable {}

/// An engine that, unlike `Diesel`, is no starter.
final class Electric: Engine { let kind = "electric" }

/// Two types with the same name.
enum Kitchen { struct Missing: Sendable {} }
enum Garden { struct Missing: Sendable {} }

/// A container, and the findings of its validation.
struct Wiring: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let container: DIContainer
    let kinds: [ValidationFinding.Kind]
    /// The keys of the findings. Nil if the kinds suffice.
    let keys: [String]?
    /// The path of the first finding, or nil.
    let path: [String]?
    /// A part of the text of the first finding.
    let text: String

    init(
        _ description: String, finds kinds: [ValidationFinding.Kind] = [], keys: [String]? = nil,
        path: [String]? = nil, text: String = "", in container: DIContainer
    ) {
        testDescription = description
        self.container = container
        self.kinds = kinds
        self.keys = keys
        self.path = path
        self.text = text
    }

    init(
        _ description: String, finds kinds: [ValidationFinding.Kind] = [], keys: [String]? = nil,
        path: [String]? = nil, text: String = "", @RegistrationBuilder of registrations: () -> [Registration]
    ) {
        self.init(
            description, finds: kinds, keys: keys, path: path, text: text, in: DIContainer(registrations))
    }

    /// Compares the findings of validation with the row.
    func check(_ found: [ValidationFinding]) {
        #expect(found.map(\.kind) == kinds, "\(found)")
        if let keys { #expect(found.map(\.key) == keys) }
        if let path { #expect(found.first?.path.map(\.id.description) == path) }
        #expect(text.isEmpty || found.first?.description.contains(text) == true, "\(found)")
    }
}

@Suite("Validation of declared dependencies")
struct ValidationTests {
    static let wirings: [Wiring] = [
        Wiring(
            "the missing dependency of an Optional dependency", finds: [.error(.notRegistered)], keys: ["Bicycle"],
            path: ["Dependent<Optional<Ticket>>", "Ticket"]
        ) {
            New(autowiring: Dependent<Ticket?>.init)
            New(autowiring: { (_: Bicycle) in Ticket(number: 1) })
        },
        Wiring("the missing dependency of a collection's element", finds: [.error(.notRegistered)], keys: ["Hen"]) {
            New(autowiring: Dependent<All<any Engine>>.init)
            Shared(autowiring: { (_: Hen) in Diesel() as any Engine }, name: "hen")
        },
        Wiring(
            "two missing types with the same name", finds: [.error(.notRegistered), .error(.notRegistered)],
            keys: ["Kitchen.Missing", "Garden.Missing"]
        ) { New(autowiring: { (_: Kitchen.Missing, _: Garden.Missing) in 1 }) },
        Wiring(
            "two missing types with the same name, which two types need",
            finds: [.error(.notRegistered), .error(.notRegistered)], keys: ["Kitchen.Missing", "Garden.Missing"]
        ) {
            New(autowiring: Dependent<Kitchen.Missing>.init)
            New(autowiring: Dependent<Garden.Missing>.init)
        },
        Wiring("a cycle of two closures, which aren't run") {
            Shared { resolve in [resolve(Wheel.self)].count }
            Shared { (resolve: Resolver) in
                _ = resolve(Int.self)
                return Wheel()
            }
        },
        Wiring("a cycle that a provider of an Optional breaks") {
            Shared(autowiring: { (_: Provider<Wheel?>) in 1 })
            Shared(autowiring: { (_: Int) in Wheel() })
        },
        Wiring("a type that depends on its alias", finds: [.error(.cycle)], path: ["Diesel", "any Engine"]) {
            Shared(autowiring: { (_: any Engine) in Diesel() }, as: (any Engine).self)
        },
        Wiring("providers with arguments that are converted") {
            New { _, number in Ticket(number: number) }
            New { (_, _: Any) in Wheel() }
            New { (_, _: Int?) in Vehicle() }
            New { (_: Resolver, vehicles: [Vehicle], number: Int) in Diesel() }
            New(autowiring: { (_: Provider<Ticket, Int>, _: Provider<Wheel, Int>, _: Provider<Vehicle, Int>) in 1 })
            New(autowiring: Dependent<Provider<Diesel, [Bicycle], Int?>>.init)
        },
        Wiring(
            "a provider with an argument that never becomes the factory's Optional", finds: [.error(.argumentMismatch)]
        ) {
            New { (_: Resolver, text: String?) in Ticket(number: text?.count ?? 0) }
            New(autowiring: Dependent<Provider<Ticket, Int>>.init)
        },
        Wiring("an alias that no superclass is", finds: [.error(.typeMismatch)]) { Shared(Vehicle(), as: Diesel.self) },
        Wiring("aliases that conform, or may conform") {
            Shared(Diesel(), as: (any Engine).self, (any Starter).self, AnyObject.self, Any.self)
            Shared(Diesel() as any Engine, name: "x", as: (any Starter).self)
            Shared(Bicycle(), as: Vehicle.self)
            Shared(Bicycle() as Vehicle, name: "x", as: Bicycle.self)
            Shared(1, as: (any Hashable).self, AnyHashable.self)
            Shared([Bicycle](), as: [Vehicle].self)
        },
        Wiring(
            "a mismatch in a chain of aliases", finds: [.error(.typeMismatch), .replaced],
            keys: ["any Engine", "any Engine"]
        ) {
            Shared(Diesel() as any Engine, as: (any Starter).self, Vehicle.self)
            Shared(Bicycle(), as: (any Engine).self)
        },
        Wiring("a Weak object, also behind a protocol") {
            Weak(Rows<Int>() as any Repository<Int>)
            Weak(Diesel())
            Weak(Diesel() as any Engine)
        },
        Wiring("a Weak metatype", finds: [.error(.weakValueType), .error(.weakValueType)]) {
            Weak { _ in Diesel.self as any Engine.Type }
            Weak(Diesel.self as any Engine.Type, name: "x")
        },
        Wiring("closures in a type, which are no initializers") {
            Shared((1, { @Sendable (wheel: Wheel) in wheel }))
            Shared([{ @Sendable (wheel: Wheel) in wheel }])
        },
        Wiring("a provider of a main-actor type") {
            New(mainActor: { _, number in Ticket(number: number) })
            New(autowiring: Dependent<Provider<Ticket, Int>>.init)
        },
        Wiring(
            "a dependency that a parent decorates on the main actor", finds: [.error(.mainActorRequired)],
            in: DIContainer {
                Shared(Diesel())
                Decorate(Diesel.self, mainActor: { base, _ in base })
            }.makeChild { New(autowiring: Dependent<Diesel>.init) }),
    ]

    @Test("finds", arguments: wirings)
    func finds(_ wiring: Wiring) { wiring.check(findings(wiring.container)) }

    @Test("reports a missing dependency once, with its path and suggestions")
    func missing() throws {
        let line: UInt = #line + 2
        let container = DIContainer {
            Shared(autowiring: Dependent<Car>.init)
            Shared(autowiring: Car.init)
            New(autowiring: { (engine: any Engine) in Ticket(number: 1) })
            Shared(Diesel(), name: "old", as: (any Engine).self)
        }
        let finding = try only(container)
        #expect(finding.kind == .error(.notRegistered) && finding.key == "any Engine")
        #expect(finding.file == #fileID && finding.line == line + 1)
        #expect(finding.path.map(\.id.description) == ["Dependent<Car>", "Car"])
        let text = finding.description
        #expect(text.hasPrefix("Nothing is registered for any Engine, which Car needs.\n  similar registrations:"))
        #expect(text.contains("\n    Dependent<Car>  (registered at \(#fileID):\(line))\n    Car  (registered at"))
        let near = "any Engine named \"old\"  (registered at \(#fileID):\(line + 3))"
        #expect(text.contains("\n    \(near)\n    Diesel named \"old\"  (registered at"))
        container.register(Shared(Diesel() as any Engine))
        #expect(findings(container).isEmpty)
    }

    @Test("suggests a type once, even if a child overrides a parent's dependency")
    func nearOnce() throws {
        let parent = DIContainer {
            Shared(Diesel())
            Shared(autowiring: { (_: Diesel) in 1 })
        }
        let child = parent.makeChild {
            Shared(Diesel())
            New(autowiring: Dependent<any Engine>.init)
        }
        #expect(try only(child).description.components(separatedBy: "Diesel  (registered at ").count == 2)
    }

    @Test("validates a child with inherited registrations, each as its container builds it")
    func child() throws {
        let parent = DIContainer {
            Shared(autowiring: Car.init)
            Scoped(autowiring: Dependent<Car>.init)
            New(autowiring: Dependent<Ticket>.init)
        }
        let child = parent.makeChild {
            Shared(Diesel() as any Engine)
            Shared(Ticket(number: 1))
        }
        // The parent's Shared can't use the child's engine, but its New uses the child's ticket.
        #expect(findings(child).map(\.key) == ["any Engine"])
        #expect(findings(parent).map(\.key) == ["any Engine", "Ticket"])
        #expect(findings(child.makeChild()).map(\.key) == ["any Engine"])
    }

    @Test("resolves the dependencies of a parent's New in the child, each finding once")
    func inheritedNew() throws {
        let parent = DIContainer {
            New(autowiring: Dependent<Car>.init)
            New(autowiring: Dependent<Car>.init)
        }
        let child = parent.makeChild { Shared(Car(engine: Diesel())) }
        _ = try child.resolve.orThrow(Dependent<Car>.self)
        #expect(findings(child).map(\.kind) == [.replaced])
        #expect(child.graph.edges.contains { $0.key == "Car" && $0.to != nil })
    }

    @Test("doesn't suggest a decorator without a registration")
    func missingAndDecorated() throws {
        let found = findings(
            DIContainer {
                Decorate(Ticket.self) { base, _ in base }
                New(autowiring: { (_: Ticket?) in 1 })
                New(autowiring: { (_: Ticket) in Wheel() })
            })
        #expect(found.map(\.kind) == [.error(.notRegistered), .unusedDecorator])
        #expect(found.first?.description.contains("similar registrations:") == false)
    }

    @Test("reports a provider's arguments for a type without any, also once it is built")
    func builtWithoutArguments() throws {
        let container = DIContainer {
            Shared(Ticket(number: 1))
            New(autowiring: Dependent<Provider<Ticket, Int>>.init)
        }
        #expect(findings(container).map(\.kind) == [.error(.argumentMismatch)])
        _ = try container.resolve.orThrow(Ticket.self)
        #expect(findings(container).map(\.kind) == [.error(.argumentMismatch)])
    }

    @Test("reports a main-actor dependency of a factory off the main actor, also once it is built")
    func mainActorDependency() async throws {
        let container = DIContainer {
            Shared(mainActor: Diesel(), as: (any Engine).self)
            New(autowiring: Car.init)
        }
        let finding = try only(container)
        #expect(finding.kind == .error(.mainActorRequired) && finding.key == "any Engine")
        await MainActor.run { _ = container.resolve(Diesel.self) }
        #expect(container.registrations[0].isBuilt)
        #expect(try only(container).kind == .error(.mainActorRequired))
    }

    @Test("reports an alias whose target became an alias of a type that doesn't conform")
    func aliasOfAlias() async throws {
        let line: UInt = #line + 2
        let container = DIContainer {
            Shared(Diesel() as any Engine, as: (any Starter).self)
            Shared(Electric(), as: (any Engine).self)
        }
        for (row, found) in await allFindings(container) {
            #expect(found.map(\.kind) == [.error(.typeMismatch), .replaced], "\(row): \(found)")
            let finding = try #require(found.first, "\(row)")
            #expect(finding.key == "any Starter" && finding.line == line, "\(row)")
            let text =
                "any Engine is registered with any Starter in `as:`, and leads to Electric, which does not conform."
            #expect(finding.description.hasPrefix(text), "\(row)")
        }
        #expect(failure { _ = try container.resolve.orThrow((any Starter).self) }?.kind == "typeMismatch")
    }

    @Test("reports no mismatch in a chain of aliases that a decorator may correct, also in a fork")
    func decoratedChain() async {
        let container = DIContainer {
            Shared(Diesel() as any Engine, as: (any Starter).self)
            Shared(Electric(), as: (any Engine).self)
            Decorate((any Engine).self) { _, _ in Diesel() }
        }
        let fork = container.fork { Decorate((any Engine).self) { base, _ in base } }
        #expect(await builtFindings(container).map(\.kind) == [.replaced])
        #expect(await builtFindings(fork).map(\.kind) == [.replaced])
        container.unregister(Electric.self)
        #expect(findings(container).map(\.kind) == [.error(.notRegistered), .replaced])
    }

    @Test("reports no error if `as?` converts an instance, a metatype, a tuple or an argument")
    func converted() throws {
        let container = DIContainer {
            Shared(1, as: AnyObject.self)
            Shared("x", as: NSString.self)
            New({ _ in Bicycle.self as Bicycle.Type }, as: Vehicle.Type.self)
            New({ _ in Diesel.self as Diesel.Type }, as: (any Engine.Type).self)
            New({ _ in (Diesel(), 1) }, as: (any Engine, Int).self)
            New { (_, _: AnyObject) in Ticket(number: 1) }
            New(autowiring: Dependent<Provider<Ticket, Int>>.init)
        }
        #expect(findings(container).isEmpty, "\(findings(container))")
        _ = (try container.resolve.orThrow(AnyObject.self) as AnyObject, try container.resolve.orThrow(NSString.self))
        #expect(try container.resolve.orThrow(Vehicle.Type.self) == Bicycle.self)
        #expect(try container.resolve.orThrow((any Engine.Type).self) is Diesel.Type)
        #expect(try container.resolve.orThrow((any Engine, Int).self).0.kind == "diesel")
        #expect(try container.resolve.orThrow(Ticket.self, arguments: 5).number == 1)
    }

    @Test(
        "reports an uncallable initializer at its alias, and advises `autowiring:`",
        arguments: [nil, "new"] as [RegistrationName?])
    func missingLabel(_ name: RegistrationName?) throws {
        let container = DIContainer { Module("Garage") { New(Tuned.init, name: name, as: (any Starter).self) } }
        let finding = try #require(findings(container).first { $0.isError })
        #expect(finding.kind == .error(.typeMismatch) && finding.description.contains("`autowiring:`"))
        #expect(finding.key == (name == nil ? "any Starter" : "any Starter named \"new\""))
        let error = try #require(failure { _ = try container.resolve.orThrow((any Starter).self, name: name) })
        #expect(error.kind == "typeMismatch")
    }

    @Test("reports an initializer of another actor once, even in a module that is registered again")
    func ofActor() async throws {
        let module = Module {
            Shared(autowiring: Ledger.init)
            Shared(Ticket(number: 1))
        }
        let container = DIContainer { module }
        container.register { Module("Ledgers") { module } }
        for (row, found) in await allFindings(container) {
            #expect(found.map(\.kind) == [.error(.factoryFailed)], "\(row): \(found)")
            let text = found.first?.description ?? ""
            #expect(
                text.contains("Ledger cannot be built: its initializer is isolated to Clerk and has to be awaited."),
                "\(row)")
            #expect(text.contains("\n  fix: register a factory that awaits the initializer"), "\(row)")
        }
    }

    @Test("reports an initializer of another actor beside a failure of another registration for the key")
    func inTree() async {
        let parent = DIContainer {
            Shared(autowiring: Ledger.init)
            Shared(autowiring: Dependent<Ledger>.init)
        }
        let child = parent.makeChild { Shared { _ -> Ledger in throw Sabotage() } }
        let found = await builtFindings(child).filter { $0.key == "Ledger" }
        #expect(found.map(\.kind) == [.error(.factoryFailed), .error(.factoryFailed)], "\(found)")
        #expect(Set(found.map(\.line)).count == 2)
    }
}
