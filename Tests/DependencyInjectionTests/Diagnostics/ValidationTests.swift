import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
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
protocol Shelf<Item>: Sendable { associatedtype Item }
final class IntegerShelf: Shelf { typealias Item = Int }
struct Value<Owner>: Sendable {}

@Suite("Validation of declared dependencies")
struct ValidationTests {
    @Test("reports a missing dependency once, with its path and suggestions")
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
        #expect(text.hasPrefix("Nothing is registered for any Engine, which Car needs.\n  similar registrations:"))
        #expect(text.contains("\n    Repair  (registered at \(#fileID):\(line))\n    Car  (registered at"))
        let near = "any Engine named \"old\"  (registered at \(#fileID):\(line + 3))"
        #expect(text.contains("\n    \(near)\n    Diesel named \"old\"  (registered at"))
        #expect(
            text.contains("\n  fix: request it by its name \"old\" in a closure, which replaces `autowiring:`\n   or: ")
        )
        container.register(Shared(Diesel() as any Engine))
        #expect(findings(container).isEmpty)
    }

    @Test("checks the elements of Optionals, providers and collections")
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
        // The dependencies of an Optional's registration and of a collection's elements are checked.
        good.register { New(autowiring: { (wheel: Bicycle) in Ticket(number: 1) }) }
        #expect(try only(good).path.map(\.key) == ["Spare", "Ticket"])
        good.register { Shared(autowiring: { (ticket: Hen) in Diesel() as any Engine }, name: "hen") }
        #expect(findings(good).map(\.key) == ["Bicycle", "Hen"])
    }

    @Test("reports a cycle once, unless a provider breaks it")
    func cycle() throws {
        let finding = try only(
            DIContainer {
                Shared(autowiring: Hen.init)
                New(autowiring: Egg.init)
            })
        #expect(finding.kind == .error(.cycle) && finding.isError)
        #expect(finding.description.hasPrefix("Circular dependency: Hen → Egg → Hen\n"))
        #expect(finding.path.map(\.key) == ["Hen", "Egg"])
        let broken = DIContainer {
            Shared(autowiring: LateHen.init)
            Shared(autowiring: LateEgg.init)
        }
        #expect(findings(broken).isEmpty)
        let own = DIContainer { Shared(autowiring: { (engine: any Engine) in Diesel() }, as: (any Engine).self) }
        #expect(try only(own).path.map(\.key) == ["Diesel", "any Engine"])
    }

    @Test("reports a dependency whose arguments are missing or unlike the provider's")
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
        let good: KeyValuePairs = [
            "Int": New { _, number in Ticket(number: number) },
            "Any": New { _, any in Ticket(number: (any as Any) as! Int) },
            "Int?": New { _, maybe in Ticket(number: (maybe as Int?) ?? 0) },
        ]
        for (row, registration) in good {
            other.register(registration)
            #expect(findings(other).map(\.kind) == [.replaced], "\(row)")
        }
    }

    @Test("suggests a type once, even if a child overrides a parent's dependency")
    func nearOnce() throws {
        let parent = DIContainer {
            Shared(Diesel())
            Shared(autowiring: { (_: Diesel) in 1 })
        }
        let child = parent.makeChild {
            Shared(Diesel())
            New(autowiring: { (_: any Engine) in Ticket(number: 1) })
        }
        #expect(try only(child).description.components(separatedBy: "Diesel  (registered at ").count == 2)
    }

    @Test("reports an alias whose type can't conform, as far as static types show")
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

    @Test("validates a child with inherited registrations, each as its container builds it")
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
        // The parent's Shared can't use the child's engine, but its New uses the child's ticket.
        #expect(findings(child).map(\.key) == ["any Engine"])
        #expect(findings(parent).map(\.key) == ["any Engine", "Ticket"])
        #expect(findings(child.makeChild()).map(\.key) == ["any Engine"])
    }

    @Test("resolves the dependencies of a parent's New in the child, each finding once")
    func inheritedNew() throws {
        let parent = DIContainer {
            New(autowiring: Repair.init)
            New(autowiring: Repair.init)
            Shared(Wheel())
        }
        let child = parent.makeChild {
            Shared(Car(engine: Diesel()))
        }
        _ = try child.resolve.orThrow(Repair.self)
        #expect(findings(child).map(\.kind) == [.replaced])
        #expect(child.graph.edges.contains { $0.key == "Car" && $0.to != nil })
    }

    @Test("doesn't suggest a decorator without a registration")
    func missingAndDecorated() throws {
        let found = findings(
            DIContainer {
                Decorate(Ticket.self) { base, _ in base }
                New(autowiring: Spare.init)
                New(autowiring: { (_: Ticket) in Wheel() })
            })
        #expect(found.map(\.kind) == [.error(.notRegistered), .unusedDecorator])
        #expect(found.first?.description.contains("similar registrations:") == false)
    }

    @Test("reports a Weak metatype, but no Weak object behind a protocol")
    func existentials() {
        let good = DIContainer {
            Weak(IntegerShelf() as any Shelf<Int>)
            Weak(Diesel())
            Weak(Diesel() as any Engine)
        }
        #expect(findings(good).isEmpty)
        let metatypes = DIContainer {
            Weak { _ in Diesel.self as any Engine.Type }
            Weak(Diesel.self as any Engine.Type, name: "x")
        }
        #expect(findings(metatypes).map(\.kind) == [.error(.weakValueType), .error(.weakValueType)])
    }

    @Test("reports a provider's arguments for a type without any, also once it is built")
    func builtWithoutArguments() throws {
        let container = DIContainer {
            Shared(Ticket(number: 1))
            New(autowiring: Desk.init)
        }
        #expect(findings(container).map(\.kind) == [.error(.argumentMismatch)])
        _ = try container.resolve.orThrow(Ticket.self)
        #expect(findings(container).map(\.kind) == [.error(.argumentMismatch)])
    }

    @Test("reports no missing arguments for a Shared that was built with arguments")
    func builtWithArguments() throws {
        let container = DIContainer {
            Shared { _, kind in Diesel(kind: kind) }
            New(autowiring: { (_: Diesel) in Wheel() })
        }
        #expect(findings(container).map(\.kind) == [.error(.argumentMismatch)])
        _ = try container.resolve.orThrow(Diesel.self, arguments: "x")
        #expect(findings(container).isEmpty)
    }

    private enum Kitchen { struct Missing: Sendable {} }
    private enum Garden { struct Missing: Sendable {} }

    @Test("distinguishes two missing types with the same name in two enclosing types")
    func missingOfOneName() {
        let one = DIContainer { New(autowiring: { (_: Kitchen.Missing, _: Garden.Missing) in 1 }) }
        let two = DIContainer {
            New(autowiring: { (_: Kitchen.Missing) in 1 })
            New(autowiring: { (_: Garden.Missing) in "text" })
        }
        for (row, container) in ["one": one, "two": two] as KeyValuePairs {
            #expect(findings(container).map(\.kind) == [.error(.notRegistered), .error(.notRegistered)], "\(row)")
            #expect(
                findings(container).map(\.key) == [
                    "ValidationTests.Kitchen.Missing", "ValidationTests.Garden.Missing",
                ], "\(row)")
        }
    }

    private final class Later: Sendable { init(_ sooner: Provider<Sooner?>) {} }
    private final class Sooner: Sendable { init(_ later: Later) {} }

    @Test("reports no cycle that a provider of an Optional breaks")
    func providerOfOptional() {
        let container = DIContainer {
            Shared(autowiring: Later.init)
            Shared(autowiring: Sooner.init)
        }
        #expect(findings(container).isEmpty)
        #expect(container.graph.edges.map(\.isDeferred) == [true, false])
    }
}

private final class Electric: Engine { let kind = "electric" }

@Suite("Validation of conversions")
struct ValidationConversionTests {
    @Test("accepts conversions by `as?`, and a closure in a type is not an initializer")
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

    @Test("reports an alias whose target became an alias of a type that doesn't conform")
    func aliasOfAlias() async throws {
        let line: UInt = #line + 2
        let container = DIContainer {
            Shared(Diesel() as any Engine, as: (any Starter).self)
            Shared(Electric(), as: (any Engine).self)
        }
        for (row, found) in await allFindings(container) {
            #expect(found.map(\.kind) == [.error(.typeMismatch), .replaced], "\(found)")
            let finding = try #require(found.first)
            #expect(finding.key == "any Starter" && finding.line == line, "\(row)")
            let text =
                "any Engine is registered with any Starter in `as:`, and leads to Electric, which does not conform."
            #expect(finding.description.hasPrefix(text), "\(row)")
        }
        #expect(failure { _ = try container.resolve.orThrow((any Starter).self) }?.kind == "typeMismatch")
    }

    @Test("reports the first mismatch in a chain of aliases, unless a decorator may fix it")
    func rowOfAliases() async {
        let row = DIContainer {
            Shared(Diesel() as any Engine, as: (any Starter).self, Vehicle.self)
            Shared(Bicycle(), as: (any Engine).self)
        }
        #expect(findings(row).map(\.key) == ["any Engine", "any Engine"])
        #expect(findings(row).map(\.kind) == [.error(.typeMismatch), .replaced])
        let decorated = DIContainer {
            Shared(Diesel() as any Engine, as: (any Starter).self)
            Shared(Electric(), as: (any Engine).self)
            Decorate((any Engine).self) { _, _ in Diesel() }
        }
        for (row, container) in [
            "decorated": decorated,
            "decorated.fork { Decorate((any Engine).self) { base, _ in base } }": decorated.fork {
                Decorate((any Engine).self) { base, _ in base }
            },
        ] as KeyValuePairs {
            #expect(await builtFindings(container).map(\.kind) == [.replaced], "\(row)")
        }
        decorated.unregister(Electric.self)
        #expect(findings(decorated).map(\.kind) == [.error(.notRegistered), .replaced])
    }

    @Test("reports no error if `as?` boxes a value in an object or bridges it to Foundation")
    func bridged() throws {
        let container = DIContainer {
            Shared(1, as: AnyObject.self)
            Shared("x", as: NSString.self)
            New { (_, _: AnyObject) in Ticket(number: 1) }
            New(autowiring: Desk.init)
        }
        #expect(findings(container).isEmpty)
        _ = (try container.resolve.orThrow(AnyObject.self) as AnyObject, try container.resolve.orThrow(NSString.self))
        #expect(try container.resolve.orThrow(Ticket.self, arguments: 5).number == 1)
    }

    @Test("reports no error for an alias of a metatype or tuple that `as?` converts")
    func metatypesAndTuples() throws {
        let container = DIContainer {
            New({ _ in Bicycle.self as Bicycle.Type }, as: Vehicle.Type.self)
            New({ _ in Diesel.self as Diesel.Type }, as: (any Engine.Type).self)
            New({ _ in (Diesel(), 1) }, as: (any Engine, Int).self)
        }
        #expect(findings(container).isEmpty, "\(findings(container))")
        #expect(try container.resolve.orThrow((any Engine, Int).self).0.kind == "diesel")
        let type = try container.resolve.orThrow(Vehicle.Type.self)
        #expect(type == Bicycle.self)
        #expect(try container.resolve.orThrow((any Engine.Type).self) is Diesel.Type)
    }
}

private protocol Part: Sendable {}
private protocol Other: Sendable {}
private final class First: Part {}
private final class Second: Part {}
private final class Both: Part, Other {}

private final class Wrapper: Part {
    let base: any Part
    init(_ base: any Part) { self.base = base }
}

private struct Detail: Sendable { let text: String }
private struct DetailUser: Sendable { init(_ detail: Detail) {} }
private struct Screen: Sendable { let detail: Detail }
private struct ProviderUser: Sendable { init(_ make: Provider<Detail, Int>) {} }
private struct Page: Sendable { let make: @Sendable (Second) -> Detail }
private final class Now: Sendable { init(_ now: Later, _ later: Provider<Later>) {} }
private final class Later: Sendable { init(_ now: Now) {} }

@Suite("Validation of edge cases")
struct ValidationEdgeCaseTests {
    @Test("an override in a fork is not a replacement, even after a decoration there")
    func decoratedOverride() {
        let app = DIContainer { Shared(First() as any Part) }
        let fork = app.fork {
            Decorate((any Part).self) { base, _ in Wrapper(base) }
            Shared(Second() as any Part)
        }
        #expect(findings(fork).isEmpty)
        fork.register(Shared(First() as any Part))
        #expect(findings(fork).map(\.kind) == [.replaced])
    }

    @Test("doesn't report a registration as its own replacement")
    func replacedByItself() {
        let first = Module(Shared(First() as any Part))
        let second = Module(Shared(Second() as any Part))
        let found = findings(
            DIContainer {
                first
                second
                first
            })
        #expect(found.map(\.kind) == [.replaced])
        #expect(!found[0].description.contains("replaces what was registered at \(found[0].file):\(found[0].line)."))
    }

    @Test("doesn't report an Optional that was unregistered")
    func unregisteredOptional() {
        let container = DIContainer { Shared { _ in nil as Int? } }
        #expect(findings(container).map(\.kind) == [.optionalRegistration])
        container.unregister(Int?.self)
        #expect(findings(container).isEmpty)
    }

    @Test("accepts a function as a dependency of an initializer")
    func neededFunction() throws {
        let factory = Shared({ _ in Detail(text: "") } as @Sendable (Second) -> Detail)
        #expect(findings(DIContainer { factory }).map(\.kind) == [.missingAutowiring])
        let container = DIContainer {
            factory
            New(autowiring: Page.init)
        }
        #expect(try findings(container).isEmpty && container.resolve.orThrow(Page.self).make(Second()).text == "")
    }

    @Test("reports an argument of a provider that never becomes the factory's Optional")
    func optionalArgument() {
        let container = DIContainer {
            New { (_: Resolver, text: String?) in Detail(text: text ?? "") }
            New(autowiring: ProviderUser.init)
        }
        #expect(throws: ResolutionError.self) { try container.resolve.orThrow(Detail.self, arguments: 1) }
        #expect(findings(container).map(\.kind) == [.error(.argumentMismatch)])
    }

    @Test("reports a fault of each caller when everything is built")
    func faultOfEach() async {
        let container = DIContainer {
            New { (_: Resolver, number: Int) in Detail(text: "\(number)") }
            New(autowiring: DetailUser.init)
            New { resolve in Screen(detail: try resolve.orThrow(Detail.self, arguments: "wrong")) }
        }
        let found = await builtFindings(container, .building { $0.type == Detail.self ? [1] : nil })
        #expect(found.map(\.kind) == [.error(.argumentMismatch), .error(.argumentMismatch)])
    }

    @Test("lists an alias with its final target")
    func aliasOfAlias() throws {
        let container = DIContainer {
            Shared(First() as any Part, as: (any Other).self)
            Shared(Both(), as: (any Part).self)
        }
        #expect(try container.resolve.orThrow((any Other).self) is Both)
        #expect(container.registrations.map { Set($0.aliases) } == [["any Part", "any Other"]])
    }

    @Test("marks no provider as part of a cycle")
    func providerBesideCircle() {
        let container = DIContainer {
            Shared(autowiring: Now.init)
            Shared(autowiring: Later.init)
        }
        let lines = container.graph.mermaid().split(separator: "\n")
        let later = lines.indices.filter { lines[$0].contains("later") }
        #expect(!later.isEmpty && later.allSatisfy { !lines[$0 + 1].contains("linkStyle") })
    }
}

@Suite("Validation of asynchronous and main-actor dependencies")
struct ValidationIsolationTests {
    @MainActor private final class Window: Sendable { init(_ engine: Diesel) {} }

    @Test("reports main-actor dependencies of a factory that may run off the main actor")
    func mainActor() async throws {
        let container = DIContainer {
            Shared(mainActor: Diesel(), as: (any Engine).self)
            New(autowiring: Car.init)
        }
        let finding = try only(container)
        await MainActor.run { _ = container.resolve(Diesel.self) }
        #expect(container.registrations[0].isBuilt)
        #expect(try only(container).kind == .error(.mainActorRequired))
        #expect(finding.kind == .error(.mainActorRequired) && finding.isError && finding.key == "any Engine")
        let good = DIContainer {
            New(mainActor: { _, number in Ticket(number: number) })
            New(autowiring: Desk.init)
        }
        #expect(findings(good).isEmpty)
    }

    @Test("reports a dependency decorated on the main actor, unless its user runs there")
    func mainActorDependencies() {
        let good = DIContainer {
            Shared(mainActor: Diesel())
            Shared(autowiring: Window.init)
        }
        #expect(findings(good).isEmpty)
        let parent = DIContainer {
            Shared(Diesel())
            Decorate(Diesel.self, mainActor: { base, _ in base })
        }
        let child = parent.makeChild {
            New(autowiring: { (_: Diesel) in Wheel() })
        }
        #expect(findings(child).map(\.kind) == [.error(.mainActorRequired)])
    }
}
