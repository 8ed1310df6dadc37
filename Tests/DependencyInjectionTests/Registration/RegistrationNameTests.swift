import DependencyInjection
import Testing

@Suite("Names")
struct RegistrationNameTests {
    /// "é" as one scalar, and as a letter and an accent.
    private let composed = RegistrationName("caf\u{e9}")
    private let decomposed = RegistrationName("cafe\u{301}")

    @Test("Names whose texts are equal are equal, also where one text is composed and the other decomposed")
    func canonicalEquivalence() {
        #expect(composed.rawValue == decomposed.rawValue)
        #expect(composed == decomposed)
        #expect(composed.hashValue == decomposed.hashValue)
        #expect(Set([composed, decomposed]).count == 1)
    }

    @Test("What is registered under a composed name is found by the decomposed one, and the reverse")
    func lookUp() {
        let container = DIContainer {
            Shared(Ticket(number: 1), name: composed)
            Shared(Diesel(), name: decomposed)
        }
        #expect(container.resolve(Ticket?.self, name: decomposed)?.number == 1)
        #expect(container.resolve(Diesel?.self, name: composed) != nil)
        container.register(Shared(Ticket(number: 2), name: decomposed))
        #expect(container.resolve(Ticket.self, name: composed).number == 2)
        #expect(container.resolve.all(Ticket.self).map(\.number) == [2])
    }

    @Test("Names of different texts are different, also where they look alike")
    func differences() {
        #expect(RegistrationName("cafe") != composed)
        #expect(RegistrationName("Caf\u{e9}") != composed)
        #expect(RegistrationName("") != RegistrationName("\u{0}"))
        // The Latin and the Cyrillic letter.
        #expect(RegistrationName("a") != RegistrationName("\u{430}"))
    }
}
