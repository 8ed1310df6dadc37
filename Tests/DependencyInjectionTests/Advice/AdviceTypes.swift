import DependencyInjection

// Types for the programs in the table of advice. They are internal, because the library can't find private protocols.

protocol Pane {}
@MainActor final class MainPane: Pane {}

protocol Repository<Element>: Sendable { associatedtype Element }
struct Rows<Element: Sendable>: Repository {}

/// A type that depends on the implementation of a protocol.
final class Garage: Sendable { init(diesel: Diesel) {} }

final class Voyage: Sendable {
    let number: Int
    let engine: any Engine
    init(number: Int, engine: any Engine) {
        self.number = number
        self.engine = engine
    }
}

@MainActor final class Cockpit: Sendable {}
final class Cabin: Sendable {
    let cockpit: Cockpit
    init(cockpit: Cockpit) { self.cockpit = cockpit }
}
final class Ship: Sendable {
    let number: Int
    init(number: Int, cockpit: Cockpit) { self.number = number }
}

final class Bureau: Sendable { init(app: DIContainer) {} }
final class Kiosk: Sendable { init(ticket: LazyInject<Ticket>) {} }
final class Cock: Sendable { init(_ pullet: Pullet) {} }
final class Pullet: Sendable { init(_ cock: Cock) {} }

struct Bough: Sendable { var twigs = 0 }

final class Turn: @unchecked Sendable {
    let partner: Partner
    init(partner: Partner) { self.partner = partner }
}
final class Partner: @unchecked Sendable { weak var turn: Turn? }

actor Clerk {}
@globalActor actor ClerkActor { static let shared = Clerk() }
@ClerkActor final class Ledger: Sendable { init(ticket: Ticket) {} }
