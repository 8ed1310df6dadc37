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
            let users = users.withLock { users in
                defer { users = [] }
                return users
            }
            if !users.allSatisfy({ $0.closed == 1 }) { closedTooEarly.increment() }
        }
    }

    private let all = Locked<[Part]>([])
    /// The parts that were closed before a part that uses them.
    let closedTooEarly = Counter()

    var built: Int { all.withLock { $0.count } }
    var closings: Int { all.withLock { $0.reduce(0) { $0 + $1.closed } } }
    var areClosedOnce: Bool { all.withLock { $0.allSatisfy { $0.closed == 1 } } }

    /// Returns a container with a number of parts. Some of them are `Scoped`.
    func container(_ count: Int) -> DIContainer {
        DIContainer {
            for number in 0..<count {
                let name = RegistrationName("\(number)")
                let base = number == 0 ? nil : RegistrationName("\(number - 1)")
                let make: @Sendable (Resolver) throws -> Part = { resolve in
                    Part(on: try base.map { try resolve.orThrow(Part.self, name: $0) }, self)
                }
                if number % 2 == 0 {
                    Shared(make, name: name).onClose { $0.close() }
                } else {
                    Scoped(make, name: name).onClose { $0.close() }
                }
            }
        }
    }
}

private typealias Part = Parts.Part

/// Blocks the thread until the container is closed. For threads that run no tasks.
@discardableResult
private func closeAndWait(_ container: DIContainer) -> Bool {
    let done = Latch()
    let failed = Counter()
    Task {
        do { try await container.close() } catch { failed.increment() }
        done.open()
    }
    return done.opens() && failed.count == 0
}

@Suite("Rule 20: Closing a container runs its handlers (races)", .mayHang, .ownThread)
struct ClosingRaceTests {
    /// The result of a request: a part, or the error at the end of its path.
    private enum Outcome: Sendable {
        case part(Part)
        case refused
        case other(String)

        init(_ work: () throws -> Part) {
            do { self = .part(try work()) } catch {
                self = (error as? ResolutionError)?.reason == .closed ? .refused : .other("\(error)")
            }
        }
    }

    /// Checks that every built or returned instance is closed once, and that none was built after closing.
    private func check(_ outcomes: [Outcome], _ parts: Parts, builtAtEnd: Int, _ row: String) {
        for outcome in outcomes {
            switch outcome {
            case .part(let part): #expect(part.closed == 1, "\(row)")
            case .refused: break
            case .other(let text): Issue.record("\(row): \(text)")
            }
        }
        #expect(parts.built == builtAtEnd, "\(row): built after close()")
        #expect(parts.areClosedOnce, "\(row)")
        #expect(parts.closedTooEarly.count == 0, "\(row)")
    }

    @Test("A build that began before close() resolves all that it needs")
    func beganBefore() async throws {
        let names = (0..<40).map { RegistrationName("\($0)") }
        for round in 0..<1_500 {
            let isBuilding = Latch()
            let container = DIContainer {
                for name in names { Shared(1, name: name) }
                Shared { (resolve: Resolver) throws -> String in
                    isBuilding.open()
                    return "\(try names.reduce(0) { try $0 + resolve.orThrow(Int.self, name: $1) })"
                }
            }
            async let results = awaitThreads(1) { _ in Result { try container.resolve.orThrow(String.self) } }
            isBuilding.wait()
            // Closing begins at another moment of the build in each round.
            for _ in 0..<round % 100 { sched_yield() }
            try await container.close()
            for result in await results { #expect(throws: Never.self, "\(result)") { try result.get() } }
        }
    }

    @Test("With first builds on 8 threads, each instance is closed once, after its users")
    func firstBuilds() async {
        let (served, refused) = (Counter(), Counter())
        for round in 0..<raceRounds {
            let parts = Parts()
            let app = parts.container(6)
            let builtAtEnd = Locked(0)
            let outcomes = await awaitThreads(raceThreads + 1) { index -> Outcome in
                if index == raceThreads {
                    for _ in 0..<(round % 20) { sched_yield() }
                    #expect(closeAndWait(app), "round \(round)")
                    builtAtEnd.withLock { $0 = parts.built }
                    return .refused
                }
                let name = RegistrationName("\(5 - index % 6)")
                // In some rounds, a thread repeats its request until it fails. Otherwise all may end before closing.
                while round.isMultiple(of: 10), index == 0 {
                    let outcome = Outcome { try app.resolve.orThrow(Part.self, name: name) }
                    if case .part = outcome {
                        usleep(2_000)
                        continue
                    }
                    return outcome
                }
                return Outcome { try app.resolve.orThrow(Part.self, name: name) }
            }
            for case .part in outcomes { served.increment() }
            for case .refused in outcomes.dropLast() { refused.increment() }
            check(outcomes, parts, builtAtEnd: builtAtEnd.withLock { $0 }, "round \(round)")
        }
        // The rounds have both outcomes of the race.
        #expect(served.count > 0 && refused.count > 0)
    }

    @Test("A child and its parent may be closed in any order, with first builds in the child")
    func childAndParent() async {
        for round in 0..<raceRounds {
            let parts = Parts()
            let app = parts.container(6)
            let child = app.makeChild()
            let outcomes = await awaitThreads(raceThreads) { index -> Outcome in
                switch index {
                case 0, 1:
                    for _ in 0..<(round % 20) { sched_yield() }
                    // The child's instances may be closed after the parent's instances that they use.
                    #expect(closeAndWait((index == 0) == (round % 2 == 0) ? app : child), "round \(round)")
                    return .refused
                default:
                    return Outcome { try child.resolve.orThrow(Part.self, name: RegistrationName("\(5 - index % 6)")) }
                }
            }
            #expect(parts.areClosedOnce, "round \(round)")
            for case .other(let text) in outcomes { Issue.record("\(text)") }
        }
    }

    @Test("Reads of cached instances return until the first error")
    func reads() async throws {
        for round in 0..<raceRounds {
            let app = Parts().container(2)
            let child = app.makeChild()
            let name: RegistrationName = "0"
            let part = try app.resolve.orThrow(Part.self, name: name)
            let results = await awaitThreads(raceThreads) { index -> Bool in
                if index == 0 { return closeAndWait(app) }
                let resolver = index % 2 == 0 ? app.resolve : child.resolve
                var isRefused = false
                while true {
                    do {
                        let result = try resolver.orThrow(Part.self, name: name)
                        if isRefused || result !== part { return false }
                    } catch {
                        if (error as? ResolutionError)?.reason != .closed { return false }
                        if isRefused { return true }
                        isRefused = true
                    }
                    // These requests run between requests of other kinds, which always find the registration.
                    if !app.isRegistered(Part.self, name: name) { return false }
                    usleep(2_000)
                }
            }
            #expect(results.allSatisfy { $0 }, "round \(round)")
            #expect(part.closed == 1, "round \(round)")
        }
    }

    @Test("Several calls of close() wait, and every instance is closed once")
    func twice() async throws {
        for round in 0..<raceRounds {
            let parts = Parts()
            let app = parts.container(4)
            _ = try app.resolve.orThrow(Part.self, name: "3")
            let results = await awaitThreads(4) { _ in closeAndWait(app) && parts.areClosedOnce }
            #expect(results == Array(repeating: true, count: 4), "round \(round)")
            #expect(parts.closedTooEarly.count == 0, "round \(round)")
        }
    }

    @Test("Factories that began before close() may change the container")
    func changesInFactories() async {
        for round in 0..<raceRounds {
            let parts = Parts()
            let app = parts.container(4)
            let mayChange = Counter()
            app.register {
                Shared(name: "changing") { resolve in
                    mayChange.increment()
                    let part = Part(on: try resolve.orThrow(Part.self, name: "1"), parts)
                    let container = DIContainer.current
                    switch round % 4 {
                    case 0: container.register(Shared(Part(parts), name: "0").onClose { $0.close() })
                    case 1: container.unregister(Part.self, name: "1")
                    case 2: container.resetInstances()
                    default: _ = container.makeChild()
                    }
                    // It may depend on the type that has just been changed.
                    _ = try resolve.orThrow(Part?.self, name: "0")
                    return part
                }
                .onClose { $0.close() }
            }
            let outcomes = await awaitThreads(2) { index -> Outcome in
                if index == 0 { return Outcome { try app.resolve.orThrow(Part.self, name: "changing") } }
                if round % 3 == 0 { while mayChange.count == 0, round % 2 == 0 { sched_yield() } }
                #expect(closeAndWait(app), "round \(round)")
                return .refused
            }
            check(outcomes, parts, builtAtEnd: parts.built, "round \(round)")
        }
    }

    @Test("Instances that other threads change before close() are closed once")
    func changesFromOutside() async throws {
        // A later registration stops the program, so that the last change is the one before closing.
        for round in 0..<raceRounds {
            let parts = Parts()
            let app = parts.container(4)
            _ = await awaitThreads(4) { index in
                for _ in 0..<5 {
                    switch index {
                    case 0: app.register(Shared(Part(parts), name: "0").onClose { $0.close() })
                    case 1: app.resetInstances()
                    default: _ = try? app.resolve.orThrow(Part.self, name: RegistrationName("\(index)"))
                    }
                }
            }
            try await app.close()
            #expect(parts.areClosedOnce, "round \(round)")
            #expect(parts.closedTooEarly.count == 0, "round \(round)")
        }
    }

    // MARK: Races with tasks

    @Test("With withChild, each child is closed or was not created")
    func withChild() async throws {
        for round in 0..<raceRounds {
            let parts = Parts()
            let app = parts.container(2)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<8 {
                    group.addTask {
                        if index == 0 {
                            for _ in 0..<3 { await Task.yield() }
                            return try await app.close()
                        }
                        for _ in 0..<4 {
                            do {
                                try await app.withChild { child in
                                    _ = try child.resolve.orThrow(Part.self, name: "1")
                                }
                            } catch let error as ResolutionError where error.reason == .closed {}
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(parts.areClosedOnce, "round \(round)")
        }
    }

    @Test(
        "A request that waits for the parent builds nothing that is cached after close()",
        arguments: [false, true], [false, true])
    func requestAfterClosing(isAsync: Bool, isQueueBusy: Bool) async throws {
        let (parts, inParent, onQueue) = (Parts(), Checkpoint(), Checkpoint())
        let app = DIContainer {
            Shared(async: { _ in try await inParent.stop(returning: Ticket(number: 1)) })
        }
        let part = isAsync ? Shared(async: { _ in Part(parts) }) : Shared(Part(parts))
        let child = app.makeChild {
            Shared(async: { _ in Diesel() })
            part.onClose { $0.close() }
            Shared { _ in onQueue.block(returning: 1) }
            New { resolve in
                let (diesel, ticket) = (try resolve.orThrow(Diesel.self), try resolve.orThrow(Ticket.self))
                return "\(diesel.kind) \(ticket.number) \(try resolve.orThrow(Part.self).closed)"
            }
        }
        let request = Task { try await child.resolve.async(String.self) }
        await inParent.isReached()
        if isQueueBusy {
            // Closing has to wait for the thread on the queue.
            let thread = BackgroundThread { child.resolve(Int.self) }
            await onQueue.isReached()
            async let closing: Void = child.close()
            await child.untilClosing()
            onQueue.open()
            try await closing
            #expect(thread.result() == 1)
        } else {
            try await child.close()
        }
        inParent.open()
        let error = await #expect(throws: ResolutionError.self) { try await request.value }
        #expect(error?.reason == .closed)
        #expect(parts.built == 0)
    }

    @Test("No build begins after close() if a plain factory catches an asyncRequired error")
    func heldBack() async throws {
        let (parts, factory) = (Parts(), Checkpoint())
        let app = DIContainer {
            Shared(async: { _ in Diesel() })
            Shared(async: { _ in Part(parts) })
                .onClose { $0.close() }
            New { resolve in
                _ = try resolve.orThrow(Diesel.self)
                do { return "\(try resolve.orThrow(Part.self).closed)" } catch {
                    factory.block()
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

    @Test("With dependent asynchronous builds, each returned instance is closed once")
    func firstAsyncBuilds() async throws {
        let (served, refused) = (Counter(), Counter())
        for round in 0..<raceRounds {
            let parts = Parts()
            let app = DIContainer {
                for number in 0..<5 {
                    let name = RegistrationName("\(number)")
                    let base = RegistrationName("\(number - 1)")
                    if number % 2 == 0 {
                        Shared(
                            async: { resolve in
                                if number > 0 { _ = try await resolve.async(Part.self, name: base) }
                                await Task.yield()
                                return Part(parts)
                            }, name: name
                        )
                        .onClose { $0.close() }
                    } else {
                        Scoped(name: name) { resolve in
                            _ = try resolve.orThrow(Part.self, name: base)
                            return Part(parts)
                        }
                        .onClose { $0.close() }
                    }
                }
            }
            let results = try await withThrowingTaskGroup(of: Part?.self) { group in
                for index in 0..<8 {
                    group.addTask {
                        do {
                            return try await app.resolve.async(Part.self, name: RegistrationName("\(index % 5)"))
                        } catch {
                            #expect((error as? ResolutionError)?.reason == .closed, "\(error)")
                            return nil
                        }
                    }
                }
                group.addTask {
                    // Even on a busy machine, some rounds close before the first build, and some after the last one.
                    while parts.built < round % 6 { await Task.yield() }
                    try await app.close()
                    #expect(parts.areClosedOnce, "round \(round)")
                    return nil
                }
                return try await group.reduce(into: []) { parts, part in parts.append(part) }
            }
            for part in results {
                if let part { #expect(part.closed == 1, "round \(round)") }
                (part == nil ? refused : served).increment()
            }
            #expect(parts.areClosedOnce, "round \(round)")
        }
        #expect(served.count > 0 && refused.count > raceRounds)
    }

    @Test("The instances of abandoned builds are closed")
    func everybodyLeft() async throws {
        for round in 0..<raceRounds {
            let (parts, began) = (Parts(), Counter())
            let app = DIContainer {
                Shared(async: { _ in
                    began.increment()
                    // This factory ignores its cancellation.
                    for _ in 0..<(round % 7) { await Task.yield() }
                    return Part(parts)
                })
                .onClose { $0.close() }
            }
            let request = Task { try? await app.resolve.async(Part.self) }
            #expect(await eventually { began.count == 1 }, "round \(round)")
            request.cancel()
            if round % 2 == 0 { _ = await request.value }
            // The next request begins another build, so there may be two builds.
            let other = round % 3 == 0 ? Task { try? await app.resolve.async(Part.self) } : nil
            try await app.close()
            #expect(parts.areClosedOnce, "round \(round)")
            _ = await (request.value, other?.value)
            #expect(parts.areClosedOnce && parts.built >= 1, "round \(round)")
        }
    }

    @Test("The instances of an abandoned and of a repeated build are closed")
    func overtaken() async throws {
        let (parts, began, mayEnd) = (Parts(), Counter(), [Counter(), Counter()])
        let app = DIContainer {
            Shared(async: { _ in
                let number = began.increment()
                #expect(await eventually { mayEnd[number - 1].count == 1 })
                return Part(parts)
            })
            .onClose { $0.close() }
        }
        let first = Task { try? await app.resolve.async(Part.self) }
        #expect(await eventually { began.count == 1 })
        first.cancel()
        #expect(await first.value == nil)
        let second = Task { try? await app.resolve.async(Part.self) }
        #expect(await eventually { began.count == 2 })
        mayEnd[1].increment()
        #expect(await second.value != nil)
        let closing = Task { try await app.close() }
        mayEnd[0].increment()
        try await closing.value
        #expect(parts.built == 2)
        #expect(parts.areClosedOnce)
    }

    @Test("Every instance that prepare() has built is closed")
    func preparing() async throws {
        for round in 0..<raceRounds {
            let parts = Parts()
            let app = DIContainer {
                for number in 0..<6 {
                    Shared(
                        async: { _ in
                            await Task.yield()
                            return Part(parts)
                        }, name: RegistrationName("\(number)")
                    )
                    .onClose { $0.close() }
                }
            }
            async let prepared: Void = app.prepare()
            for _ in 0..<(round % 10) { await Task.yield() }
            try await app.close()
            #expect(parts.areClosedOnce, "round \(round)")
            do { try await prepared } catch let error as PreparationError {
                #expect(error.failures.allSatisfy { $0.reason == .closed }, "round \(round)")
            } catch { #expect((error as? ResolutionError)?.reason == .closed, "\(error)") }
            #expect(parts.areClosedOnce, "round \(round)")
        }
    }
}
