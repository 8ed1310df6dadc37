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
        "A plain factory gets the two asynchronous instances that it needs, each built once", .timeLimit(.minutes(1)))
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

    @Test("An alias of an asynchronous instance answers as the type itself does")
    func aliasOfInstance() async throws {
        func resolver() -> Resolver {
            DIContainer { Shared(async: { _ in Diesel() }, as: (any Engine).self) }.resolve
        }
        let resolve = resolver()
        #expect(try await resolve.async(Diesel.self).kind == "diesel")
        #expect(try await resolve.async((any Engine).self).kind == "diesel")
    }
}
