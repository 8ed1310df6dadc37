import DependencyInjection
import Foundation
import Testing

@Suite("Validation of what is converted")
struct ValidationConversionTests {
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

    @Test("no error where `as?` makes an object of a value, or bridges it to Foundation")
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

    @Test("no error of an alias of a metatype or of a tuple that `as?` converts")
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
