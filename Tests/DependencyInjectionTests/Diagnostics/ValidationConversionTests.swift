import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

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
        for found in [findings(container), await builtFindings(container)] {
            #expect(found.map(\.kind) == [.error(.typeMismatch), .replaced], "\(found)")
            let finding = try #require(found.first)
            #expect(finding.key == "any Starter" && finding.line == line)
            let text =
                "any Engine is registered with any Starter in `as:`, and leads to Electric, which does not conform."
            #expect(finding.description.hasPrefix(text))
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
        for container in [decorated, decorated.fork { Decorate((any Engine).self) { base, _ in base } }] {
            #expect(await builtFindings(container).map(\.kind) == [.replaced])
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
