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
    func lookUp() throws {
        let container = DIContainer {
            Shared(Ticket(number: 1), name: composed)
            Shared(Diesel(), name: decomposed)
        }
        #expect(try container.resolve.orThrow(Ticket?.self, name: decomposed)?.number == 1)
        #expect(try container.resolve.orThrow(Diesel?.self, name: composed) != nil)
        container.register(Shared(Ticket(number: 2), name: decomposed))
        #expect(try container.resolve.orThrow(Ticket.self, name: composed).number == 2)
        #expect(try container.resolve.orThrow.all(Ticket.self).map(\.number) == [2])
    }

    @Test("A name with an interpolation is the name of its text")
    func interpolation() throws {
        let container = DIContainer { for number in 1...2 { Shared(number, name: "number \(number)") } }
        #expect(try container.resolve.orThrow(Int.self, name: "number 2") == 2)
    }

    @Test("Names with different texts are different, even if they look alike")
    func differences() throws {
        #expect(RegistrationName("cafe") != composed)
        #expect(RegistrationName("Caf\u{e9}") != composed)
        #expect(RegistrationName("") != RegistrationName("\u{0}"))
        let container = DIContainer {
            Shared("unnamed")
            Shared("empty", name: "")
        }
        #expect(
            try container.resolve.orThrow(String.self) == "unnamed"
                && container.resolve.orThrow(String.self, name: "") == "empty")
        // A Latin and a Cyrillic letter.
        #expect(RegistrationName("a") != RegistrationName("\u{430}"))
    }

    @Test("Two names with the same hash are different")
    func namesOfOneHash() throws {
        let first = RegistrationName(hash: 42, rawValue: "first")
        let second = RegistrationName(hash: 42, rawValue: "second")
        #expect(first != second && Set([first, second]).count == 2)
        let container = DIContainer {
            Shared("first", name: first)
            Shared("second", name: second)
        }
        #expect(try container.resolve.orThrow(String.self, name: first) == "first")
        #expect(try container.resolve.orThrow(String.self, name: second) == "second")
        container.unregister(String.self, name: first)
        #expect(!container.isRegistered(String.self, name: first))
        #expect(try container.resolve.orThrow(String?.self, name: first) == nil)
        #expect(try container.resolve.orThrow(String.self, name: second) == "second")
        container.register(Shared("again", name: first))
        #expect(try container.resolve.orThrow.all(String.self) == ["second", "again"])
    }
}
