import DependencyInjection
import Testing

@Suite("What an error says to write")
struct FixTests {
    @Test("Rule 18: an endless recursion through arguments is to be ended, not decorated")
    func recursion() throws {
        let container = DIContainer { New { resolve, depth in try resolve.orThrow(arguments: depth + 1) as Ticket } }
        let error = Elsewhere(stackSize: 64 << 20) {
            failure { _ = try container.resolve.orThrow(Ticket.self, arguments: 0) }
        }.result()
        let text = try #require(error??.description)
        #expect(text.contains("fix: end the recursion: a factory with arguments may ask for its own type"))
    }

    @Test("Rule 18: who asks for an array of a registered type is told to ask for all")
    func array() throws {
        let container = DIContainer { Shared(Diesel() as any Engine) }
        let error = try #require(failure { _ = try container.resolve.orThrow([any Engine].self) })
        #expect(error.description.contains("fix: ask for all, with `resolve.all((any Engine).self)`."))
    }

    @Test("Rule 18: an asynchronous factory with arguments cannot be prepared, and the text does not say so")
    func asynchronous() throws {
        let container = DIContainer { Shared(async: { (_, number: Int) in Ticket(number: number) }) }
        let error = try #require(failure { _ = try container.resolve.orThrow(Ticket.self, arguments: 1) })
        #expect(error.description.contains("ask with `try await resolve.async(Ticket.self)`, and with its arguments"))
        #expect(!error.description.contains("prepare"))
    }

    @Test("Rule 18: how to pass a closure is said where the factory takes one")
    func closures() throws {
        let container = DIContainer {
            New { (_, make: @escaping @Sendable () -> Int) in Ticket(number: make()) }
            New { (_, number: Int) in "\(number)" }
        }
        let closure = try #require(failure { _ = try container.resolve.orThrow(Ticket.self, arguments: 1) })
        #expect(closure.description.contains("arguments: …)`; pass a closure `f` as `resolve(f)`"))
        let number = try #require(failure { _ = try container.resolve.orThrow(String.self, arguments: true) })
        #expect(number.description.hasSuffix("`resolve(String.self, arguments: …)`."))
    }

    private protocol Radio: Sendable {}
    private struct RadioImpl: Radio {}

    @Test("Rules 2, 18: an alias is no candidate for the type that it forwards to, though their names are near")
    func danglingAlias() throws {
        let container = DIContainer { Shared(RadioImpl(), as: (any Radio).self) }
        container.unregister(RadioImpl.self)
        let error = try #require(failure { _ = try container.resolve.orThrow((any Radio).self) })
        #expect(error.key == "RadioImpl" && error.candidates.isEmpty)
        #expect(error.description.contains("fix: register it first"))
    }
}
