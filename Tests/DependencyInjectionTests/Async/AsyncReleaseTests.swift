import DependencyInjection
import Testing

@Suite("Asynchronous factories of a container that nobody holds")
struct AsyncReleaseTests {
    typealias Database = AsyncFactoryTests.Database
    typealias Repository = AsyncFactoryTests.Repository

    final class Service: Sendable {
        let isComplete: Bool
        init(database: Database, engine: Diesel) { isComplete = !database.name.isEmpty && !engine.kind.isEmpty }
    }

    @Test(
        "Rule C10: a plain factory gets the two asynchronous instances that it needs, each built once",
        .timeLimit(.minutes(20)))
    func twoDependencies() async throws {
        let built = Counter()
        func resolver() -> Resolver {
            DIContainer {
                Shared(async: { _ in
                    built.increment()
                    return Database()
                })
                Shared(async: { _ in
                    built.increment()
                    return Diesel()
                })
                Shared(autowiring: Service.init)
            }.resolve
        }
        #expect(try await resolver().async(Service.self).isComplete)
        #expect(built.count == 2)
    }

    @Test("Rule C10: an alias of an asynchronous instance answers as the type itself does")
    func aliasOfInstance() async throws {
        func resolver() -> Resolver {
            DIContainer { Shared(async: { _ in Diesel() }, as: (any Engine).self) }.resolve
        }
        let resolve = resolver()
        #expect(try await resolve.async(Diesel.self).kind == "diesel")
        #expect(try await resolve.async((any Engine).self).kind == "diesel")
    }

    @Test("An alias of an asynchronous value answers as the type itself does")
    func aliasOfValue() async throws {
        #expect(try await resolver().async(Ticket.self) == Ticket(number: 3))
        #expect(try await resolver().async((any Sendable).self) as? Ticket == Ticket(number: 3))
    }

    @Test("An Optional and a collection of an asynchronous value hold what the type itself answers")
    func madeOfValue() async throws {
        #expect(try await resolver().async(Ticket?.self) == Ticket(number: 3))
        #expect(try await resolver().async(All<Ticket>.self).map(\.number) == [3])
    }

    @Test("A child's decorator of its parent's asynchronous value is not left out")
    func decoratedValue() async throws {
        func childResolver() -> Resolver {
            DIContainer { Shared(async: { _ in Ticket(number: 3) }) }
                .makeChild { Decorate(Ticket.self) { base, _ in Ticket(number: base.number + 10) } }
                .resolve
        }
        #expect(try await childResolver().async(Ticket.self).number == 13)
    }

    @Test("Rule C10: a plain factory that asks on a thread of its own, where nothing is kept for it, is an error")
    func askedOnOtherThread() async throws {
        func resolver() -> Resolver {
            DIContainer {
                Shared(async: { _ in Ticket(number: 3) })
                New { resolve in
                    let answer = Elsewhere { Result { try resolve.orThrow(Ticket.self).number } }
                    return try #require(answer.result()).get()
                }
            }.resolve
        }
        let error = await #expect(throws: ResolutionError.self) { try await resolver().async(Int.self) }
        #expect(error?.kind == "asyncRequired" && error?.key == "Ticket")
    }

    /// Resolves from a container that is gone, and so keeps no value.
    private func resolver() -> Resolver {
        DIContainer {
            Shared(async: { _ in Ticket(number: 3) }, as: (any Sendable).self)
            Shared(async: { _ in "text" })
            New { resolve in ["\(try resolve.orThrow(Ticket.self).number)", try resolve.orThrow(String.self)] }
        }.resolve
    }
}
