import DependencyInjection
import Foundation
import Testing

/// The parts of a container, each of which depends on the one before.
private final class Parts: Sendable {
    /// A part that other parts use, and that records whether it is closed.
    final class Part: Sendable {
        private let closings = Counter()
        private let users = Locked<[Part]>([])
        private let closedTooEarly: Counter

        init(on base: Part? = nil, _ parts: Parts) {
            closedTooEarly = parts.closedTooEarly
            if let base { base.users.withLock { $0.append(self) } }
            parts.all.withLock { $0.append(self) }
        }

        var closed: Int { closings.count }

        /// Closes the part, after all parts that use it.
        func close() {
            closings.increment()
            if !users.takeAll().allSatisfy({ $0.closed == 1 }) { closedTooEarly.increment() }
        }
    }

    private let all = Locked<[Part]>([])
    /// The parts that were closed before a part that uses them.
    let closedTooEarly = Counter()

    var built: Int { all.withLock { $0.count } }
    var areClosedOnce: Bool { all.withLock { $0.allSatisfy { $0.closed == 1 } } }

    /// Returns a container with six parts. Every second one is `Scoped`, and the others may be asynchronous.
    func container(isAsync: Bool = false) -> DIContainer {
        DIContainer {
            for number in 0..<6 {
                let name = RegistrationName("\(number)")
                let base = number == 0 ? nil : RegistrationName("\(number - 1)")
                let make: @Sendable (Resolver) throws -> Part = { resolve in
                    Part(on: try base.map { try resolve.orThrow(Part.self, name: $0) }, self)
                }
                if number % 2 == 1 {
                    Scoped(make, name: name).onClose { $0.close() }
                } else if isAsync {
                    Shared(
                        async: { resolve in
                            if let base { _ = try await resolve.async(Part.self, name: base) }
                            await Task.yield()
                            return try make(resolve)
                        }, name: name
                    ).onClose { $0.close() }
                } else {
                    Shared(make, name: name).onClose { $0.close() }
                }
            }
        }
    }
}

private typealias Part = Parts.Part

@Suite("Rule 20: Closing a container runs its handlers (races)", .mayHang, .ownThread)
struct ClosingRaceTests {
    @Test("With first builds on 8 threads, each instance is closed once, after its users", arguments: [false, true])
    func firstBuilds(isAsync: Bool) async throws {
        let (served, refused) = (Counter(), Counter())
        for round in 0..<raceRounds {
            let parts = Parts()
            let app = parts.container(isAsync: isAsync)
            let closed = try await withThrowingTaskGroup(of: Part?.self) { group in
                for index in 0..<raceThreads {
                    group.addTask(executorPreference: Threads()) {
                        let name = RegistrationName("\(5 - index % 6)")
                        do {
                            let part: Part =
                                if isAsync {
                                    try await app.resolve.async(name: name)
                                } else {
                                    try app.resolve.orThrow(name: name)
                                }
                            served.increment()
                            return part
                        } catch let error as ResolutionError where error.reason == .closed {
                            refused.increment()
                            return nil
                        }
                    }
                }
                // Some rounds close before the first build, and some after the last one.
                let end = ContinuousClock.now + .seconds(longestWait)
                while parts.built < round % 7, ContinuousClock.now < end { await Task.yield() }
                try await app.close()
                let built = parts.built
                let returned = try await group.reduce(into: [Part]()) { if let part = $1 { $0.append(part) } }
                #expect(parts.built == built, "round \(round): built after close()")
                return returned
            }
            #expect(closed.allSatisfy { $0.closed == 1 }, "round \(round)")
            #expect(parts.areClosedOnce, "round \(round)")
            #expect(parts.closedTooEarly.count == 0, "round \(round)")
        }
        // The rounds have both outcomes of the race.
        #expect(served.count > 0 && refused.count > 0)
    }

    // MARK: Tasks that continue after close()

    @Test("A request that waits for the parent builds nothing that is cached after close()", arguments: [false, true])
    func requestAfterClosing(isAsync: Bool) async throws {
        let (parts, inParent) = (Parts(), Latch())
        let app = DIContainer {
            Shared(async: { _ in try await inParent.opening(returning: Ticket(number: 1)) })
        }
        let part = isAsync ? Shared(async: { _ in Part(parts) }) : Shared(Part(parts))
        let child = app.makeChild {
            part.onClose { $0.close() }
            New { resolve in
                let number = try resolve.orThrow(Ticket.self).number
                return "\(number) \(try resolve.orThrow(Part.self).closed)"
            }
        }
        let request = Task { try await child.resolve.async(String.self) }
        await inParent.isReached()
        try await child.close()
        inParent.open()
        let error = await #expect(throws: ResolutionError.self) { try await request.value }
        #expect(error?.reason == .closed)
        #expect(parts.built == 0)
    }

    @Test("No build begins after close() if a plain factory catches an asyncRequired error")
    func heldBack() async throws {
        let (parts, factory) = (Parts(), Latch())
        let app = DIContainer {
            Shared(async: { _ in Part(parts) })
                .onClose { $0.close() }
            New { resolve in
                do { return "\(try resolve.orThrow(Part.self).closed)" } catch {
                    factory.wait()
                    throw error
                }
            }
        }
        let request = Task(executorPreference: Threads()) { try await app.resolve.async(String.self) }
        await factory.isReached()
        try await app.close()
        factory.open()
        let error = await #expect(throws: ResolutionError.self) { try await request.value }
        #expect(error?.reason == .closed)
        #expect(parts.built == 0)
    }

    @Test("The instances of an abandoned and of a repeated build are closed")
    func overtaken() async throws {
        let (parts, began, builds) = (Parts(), Counter(), [Latch(), Latch()])
        let app = DIContainer {
            Shared(async: { _ in
                let build = builds[began.increment() - 1]
                // A separate task isn't canceled with the factory.
                try await Task { try await build.opening() }.value
                return Part(parts)
            })
            .onClose { $0.close() }
        }
        let first = Task { try? await app.resolve.async(Part.self) }
        await builds[0].isReached()
        first.cancel()
        #expect(await first.value == nil)
        let second = Task { try? await app.resolve.async(Part.self) }
        await builds[1].isReached()
        builds[1].open()
        #expect(await second.value != nil)
        async let closing: Void = app.close()
        #expect(await eventually { app.isClosing })
        builds[0].open()
        try await closing
        #expect(parts.built == 2)
        #expect(parts.areClosedOnce)
    }
}
