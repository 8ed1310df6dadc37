import DependencyInjection
import Testing

@Suite("Rule C10: a canceled build that continues", .mayHang)
struct CanceledBuildTests {
    typealias Database = AsyncFactoryTests.Database

    @Test("doesn't remove the next build from the list when it ends")
    func endsLate() async throws {
        let (mayFail, mayRequest) = (Gate(), Gate())
        let (started, requesting, released) = (Counter(), Counter(), Counter())
        let container = DIContainer {
            Shared(async: { (resolve, _: Tracked) in
                switch started.increment() {
                case 1:
                    // A separate task isn't canceled with the factory.
                    try await Task { try await mayFail.wait() }.value
                    throw Sabotage()
                case 2:
                    // This task ends after the build of the ticket.
                    return Database(name: "\(try await resolve.async(Ticket.self).number)")
                default: return Database()
                }
            })
            Shared(async: { resolve in
                requesting.increment()
                try await mayRequest.wait()
                // This request closes a cycle if the build that waits for this one is still in the list.
                let database = try await resolve.async(Database.self, arguments: Tracked(Counter()))
                return Ticket(number: database.name.count)
            })
        }
        let ticket = Task { try await container.resolve.async(Ticket.self) }
        #expect(await eventually { requesting.count == 1 })
        let first = Task { try await container.resolve.async(Database.self, arguments: Tracked(released)) }
        #expect(await eventually { started.count == 1 })
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let second = Task { try await container.resolve.async(Database.self, arguments: Tracked(Counter())) }
        #expect(await eventually { started.count == 2 })
        mayFail.open()
        // The arguments live until the build is removed from the list.
        #expect(await eventually { released.count == 1 })
        mayRequest.open()
        await #expect(throws: ResolutionError.self) { try await ticket.value }
        await #expect(throws: ResolutionError.self) { try await second.value }
        #expect(started.count == 2)
    }
}
