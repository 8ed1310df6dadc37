import DependencyInjection
import Testing

@Suite("Asynchronous factories of a container that has been released", .mayHang, .ownThread)
struct AsyncReleaseTests {
    /// Returns the resolver of a released container, which caches nothing.
    private func resolver(_ built: Counter = Counter()) -> Resolver {
        DIContainer {
            Shared(
                async: { _ in
                    built.increment()
                    return Ticket(number: 3)
                }, as: (any Sendable).self)
            Shared(
                async: { _ in
                    built.increment()
                    return Diesel(kind: "async")
                }, as: (any Engine).self)
            Shared(autowiring: { (ticket: Ticket, engine: any Engine) in "\(ticket.number) \(engine.kind)" })
            New(autowiring: { (ticket: Ticket, text: String) in [text, "\(ticket.number)"] })
            Decorate(String.self) { base, resolve in "\(base) \(try resolve.orThrow(Ticket.self).number)" }
        }.resolve
    }

    @Test("Rule C10: a type, an alias, an Optional and a collection of values and objects")
    func ways() async throws {
        #expect(try await resolver().async(Ticket.self) == Ticket(number: 3))
        #expect(try await resolver().async((any Sendable).self) as? Ticket == Ticket(number: 3))
        #expect(try await resolver().async(Ticket?.self) == Ticket(number: 3))
        #expect(try await resolver().async(All<Ticket>.self).map(\.number) == [3])
        #expect(try await resolver().async(Diesel.self).kind == "async")
        #expect(try await resolver().async((any Engine).self).kind == "async")
    }

    @Test("Rule C10: plain factories and decorators get their dependencies, each built once")
    func needs() async throws {
        let built = Counter()
        let resolve = resolver(built)
        #expect(try await resolve.async(String.self) == "3 async 3")
        #expect(built.count == 2)
        #expect(try await resolve.async([String].self) == ["3 async 3", "3"])
        #expect(throws: ResolutionError.self) { try resolve.orThrow(Ticket.self) }
        weak let engine = try await resolve.async(Diesel.self)
        #expect(engine == nil)
    }

    @Test("Rule C10: a plain factory's request on another thread is an error")
    func requestOnOtherThread() async throws {
        func resolver() -> Resolver {
            DIContainer {
                Shared(async: { _ in Ticket(number: 3) })
                New { resolve in
                    let request = BackgroundThread { Result { try resolve.orThrow(Ticket.self).number } }
                    return try #require(request.result()).get()
                }
            }.resolve
        }
        let error = await #expect(throws: ResolutionError.self) { try await resolver().async(Int.self) }
        #expect(error?.kind == "asyncRequired" && error?.key == "Ticket")
    }
}
