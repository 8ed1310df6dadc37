import DependencyInjection
import DependencyInjectionTesting
import Synchronization
import Testing

/// The number of containers that the trait has created.
private let containers = Atomic<Int>(0)
/// The case that resolved each number.
private let seen = Locked<[Int: Int]>([:])
/// The instances that cases have resolved.
private let instances = Locked<[ObjectIdentifier: Ticket]>([:])

private final class Ticket: Sendable {
    let number: Int
    init(number: Int) { self.number = number }
}
private struct Row: Sendable { let number: Int }
private final class Usher: Sendable {
    let ticket: Ticket
    init(ticket: Ticket) { self.ticket = ticket }
}

/// An owner with every wrapper that remembers a container.
private struct Guest: Sendable {
    @Inject var ticket: Ticket
    @LazyInject var later: Ticket
    @MutableLazyInject var usher: Usher
    @Inject var makeTicket: Provider<Ticket>
    @Inject var all: All<Ticket>
}

@RegistrationBuilder private func numbered() -> [Registration] {
    let number = containers.wrappingAdd(1, ordering: .relaxed).newValue
    Shared(Ticket(number: number))
    Shared(autowiring: Usher.init)
}

@Suite(
    "500 parallel cases that register different values for one key",
    .dependencies(.empty) { numbered() })
struct ParallelCasesTests {
    @Test("Each case resolves its own value", arguments: 0..<500)
    func isolated(_ index: Int) async throws {
        let guest = Guest()
        let mine = guest.ticket
        // The registrations of a case are visible in that case only.
        DIContainer.register(Shared(Row(number: index)))
        for round in 0..<3 {
            if round > 0 { await Task.yield() }
            #expect(try DIContainer.resolve.orThrow(Ticket.self) === mine, "\(round)")
            #expect(try DIContainer.resolve.orThrow(Row.self).number == index, "\(round)")
        }

        async let child = (
            try DIContainer.resolve.orThrow(Ticket.self), try DIContainer.resolve.orThrow(Row.self).number
        )
        #expect(try await child.0 === mine)
        #expect(try await child.1 == index)

        await withTaskGroup { group in
            for _ in 0..<3 {
                group.addTask {
                    await Task.yield()
                    return (DIContainer.resolve(Usher.self).ticket, DIContainer.resolve(Row.self).number)
                }
            }
            for await (ticket, number) in group {
                #expect(ticket === mine, "\(ticket) \(number)")
                #expect(number == index, "\(ticket) \(number)")
            }
        }

        let inherited = await Task { DIContainer.resolve(Ticket.self) }.value
        #expect(inherited === mine)

        let detached = await Task.detached { (guest.later, guest.usher.ticket, guest.makeTicket()) }.value
        #expect(detached.0 === mine)
        #expect(detached.1 === mine)
        #expect(detached.2 === mine)
        #expect(guest.all.count == 1 && guest.all.first === mine)

        let other = seen.withLock { $0.updateValue(index, forKey: mine.number) }
        #expect(other == nil, "cases \(index) and \(other ?? 0) have one container")
        let known = instances.withLock { $0.updateValue(mine, forKey: ObjectIdentifier(mine)) }
        #expect(known == nil)
    }
}

private let attempts = Locked<[Int]>([])

@Suite("A repeated case")
struct RepetitionTests {
    @Test("Each repetition has a container of its own")
    func repetition() async throws {
        // Swift Testing repeats a case by calling `provideScope` of its traits again.
        let trait: DependencyTrait = .dependencies(.empty) { numbered() }
        let test = try #require(Test.current)
        for _ in 0..<3 {
            try await trait.provideScope(for: test, testCase: Test.Case.current) {
                let number = DIContainer.resolve(Ticket.self).number
                attempts.withLock { $0.append(number) }
            }
        }
        #expect(Set(attempts.withLock { $0 }).count == 3)
    }

    @Test("A container is released with its case", arguments: [DependencyBase.current, .empty, .strict])
    func release(_ base: DependencyBase) async throws {
        struct Weak { weak var ticket: Ticket? }
        let reference = Locked(Weak())
        let trait: DependencyTrait = .dependencies(base) { numbered() }
        let test = try #require(Test.current)
        try await trait.provideScope(for: test, testCase: nil) {
            let usher = DIContainer.resolve(Usher.self)
            reference.withLock { $0.ticket = usher.ticket }
            #expect(reference.withLock { $0.ticket } === DIContainer.resolve(Ticket.self))
        }
        #expect(reference.withLock { $0.ticket } == nil)
    }
}
