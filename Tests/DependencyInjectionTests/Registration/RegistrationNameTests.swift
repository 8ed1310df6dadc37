import Testing

@testable import DependencyInjection

@Suite("Rule 1: names")
struct RegistrationNameTests {
    /// "é" as one scalar, and as a letter and an accent.
    private let composed = RegistrationName("caf\u{e9}")
    private let decomposed = RegistrationName("cafe\u{301}")

    @Test("Names with equal texts are equal, even if one is composed, one decomposed")
    func canonicalEquivalence() {
        #expect(composed.rawValue == decomposed.rawValue)
        #expect(composed == decomposed)
        #expect(composed.hashValue == decomposed.hashValue)
        #expect(Set([composed, decomposed]).count == 1)
        // The kelvin sign is equivalent to the letter K.
        let letter = RegistrationName("10 K")
        let sign = RegistrationName("10 \u{212a}")
        #expect(letter.rawValue == sign.rawValue && letter == sign)
        #expect(DIContainer { Shared(1, name: sign) }.resolve(Int?.self, name: letter) == 1)
    }

    @Test("Names are equal even if one uses a Unicode twin of an ASCII character")
    func twinsOfASCII() {
        for (ascii, other) in [("a;", "a\u{37e}"), ("`b", "\u{1fef}b")] {
            #expect(ascii == other)
            #expect(RegistrationName(ascii) == RegistrationName(other))
            #expect(RegistrationName(ascii).hashValue == RegistrationName(other).hashValue)
        }
    }

    @Test("A composed name is found by its decomposed form, and the reverse")
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

    @Test("A name with an interpolation is the name of its text")
    func interpolation() {
        let container = DIContainer { for number in 1...2 { Shared(number, name: "number \(number)") } }
        #expect(container.resolve(Int.self, name: "number 2") == 2)
    }

    @Test("Names with different texts are different, even if they look alike")
    func differences() {
        #expect(RegistrationName("cafe") != composed)
        #expect(RegistrationName("Caf\u{e9}") != composed)
        #expect(RegistrationName("") != RegistrationName("\u{0}"))
        let container = DIContainer {
            Shared("unnamed")
            Shared("empty", name: "")
        }
        #expect(container.resolve(String.self) == "unnamed" && container.resolve(String.self, name: "") == "empty")
        // A Latin and a Cyrillic letter.
        #expect(RegistrationName("a") != RegistrationName("\u{430}"))
    }

    @Test("Two names with the same hash are different")
    func namesOfOneHash() {
        let first = RegistrationName(hash: 42, rawValue: "first")
        let second = RegistrationName(hash: 42, rawValue: "second")
        #expect(first != second && Set([first, second]).count == 2)
        let container = DIContainer {
            Shared("first", name: first)
            Shared("second", name: second)
        }
        #expect(container.resolve(String.self, name: first) == "first")
        #expect(container.resolve(String.self, name: second) == "second")
        container.unregister(String.self, name: first)
        #expect(!container.isRegistered(String.self, name: first))
        #expect(container.resolve(String?.self, name: first) == nil)
        #expect(container.resolve(String.self, name: second) == "second")
        container.register(Shared("again", name: first))
        #expect(container.resolve.all(String.self) == ["second", "again"])
    }
}
