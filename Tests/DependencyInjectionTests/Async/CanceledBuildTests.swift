import DependencyInjection
import Testing

@Suite("Rule C10: a cancelled build that continues", .timeLimit(.minutes(5)))
struct CanceledBuildTests {
    typealias Database = AsyncFactoryTests.Database

    @Test("does not take the build after it off the list when it ends")
    func endsLate() async throws {
        let (mayFail, mayAsk) = (Gate(), Gate())
        let (started, asking, released) = (Counter(), Counter(), Counter())
        let container = DIContainer {
            Shared(async: { (resolve, _: Tracked) in
                switch started.increment() {
                case 1:
                    // A task of its own is not cancelled.
                    try await Task { try await mayFail.wait() }.value
                    throw Sabotage()
                case 2:
                    // Cannot end before the ticket is built or has failed.
                    return Database(name: "\(try await resolve.async(Ticket.self).number)")
                default: return Database()
                }
            })
            Shared(async: { resolve in
                asking.increment()
                try await mayAsk.wait()
                // A cycle, unless the build that waits for this one is off the list.
                let database = try await resolve.async(Database.self, arguments: Tracked(Counter()))
                return Ticket(number: database.name.count)
            })
        }
        let ticket = Task { try await container.resolve.async(Ticket.self) }
        #expect(await eventually { asking.count == 1 })
        let first = Task { try await container.resolve.async(Database.self, arguments: Tracked(released)) }
        #expect(await eventually { started.count == 1 })
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let second = Task { try await container.resolve.async(Database.self, arguments: Tracked(Counter())) }
        #expect(await eventually { started.count == 2 })
        mayFail.open()
        // The arguments live until the build is off the list.
        #expect(await eventually { released.count == 1 })
        mayAsk.open()
        await #expect(throws: ResolutionError.self) { try await ticket.value }
        await #expect(throws: ResolutionError.self) { try await second.value }
        #expect(started.count == 2)
    }
}
