import DependencyInjection
import Foundation
import Testing

@Suite("Rule 20: Closing a container runs its handlers", .mayHang, .ownThread)
struct ClosingRaceTests {
    /// A part that other parts use, and that records whether it is closed.
    private final class Part: Sendable {
        let base: Part?
        private let closings = Counter()
        private let users = Locked<[Part]>([])

        init(on base: Part? = nil, _ made: Locked<[Part]>) {
            self.base = base
            if let base { base.users.withLock { $0.append(self) } }
            made.withLock { $0.append(self) }
        }

        var closed: Int { closings.count }

        /// Closes the part, and returns whether all parts that use it were closed before.
        func close() -> Bool {
            closings.increment()
            let users = users.withLock { users in
                defer { users = [] }
                return users
            }
            return users.allSatisfy { $0.closed == 1 }
        }
    }

    /// Returns a container with parts, each of which depends on the one before. Some of them are `Scoped`.
    private static func container(
        _ count: Int, _ made: Locked<[Part]>, _ failures: Counter, isAsync: Bool = false
    ) -> DIContainer {
        DIContainer {
            for number in 0..<count {
                let name = RegistrationName("\(number)")
                let base = number == 0 ? nil : RegistrationName("\(number - 1)")
                let make: @Sendable (Resolver) throws -> Part = { resolve in
                    Part(on: try base.map { try resolve.orThrow(Part.self, name: $0) }, made)
                }
                let makeLater: @Sendable (Resolver) async throws -> Part = { resolve in
                    guard let base else { return Part(made) }
                    return Part(on: try await resolve.async(Part.self, name: base), made)
                }
                let close: @Sendable (Part) -> Void = { part in if !part.close() { failures.increment() } }
                if isAsync {
                    Shared(async: makeLater, name: name).onClose(close)
                } else if number % 2 == 0 {
                    Shared(make, name: name).onClose(close)
                } else {
                    Scoped(make, name: name).onClose(close)
                }
            }
        }
    }

    @Test("a build that began before close() resolves all that it needs")
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

    @Test("a request that waits for the queue when close() begins is refused")
    func waitsWhenClosingBegins() async throws {
        let (began, mayEnd) = (Counter(), Latch())
        let container = DIContainer {
            Shared { _ in
                began.increment()
                mayEnd.wait()
                return Ticket(number: 1)
            }
            Shared { _ in Diesel() }
        }
        let building = BackgroundThread { container.resolve(Ticket.self).number }
        #expect(await eventually { began.count == 1 })
        let request = BackgroundThread { failure { _ = try container.resolve.orThrow(Diesel.self) }?.reason }
        container.untilThreadWaits()
        let closing = Task { try await container.close() }
        await container.untilClosing()
        mayEnd.open()
        #expect(request.result() == .closed)
        #expect(building.result() == 1)
        try await closing.value
    }

    /// The result of a request: a part, or the kind of the error at the end of its path.
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
    private static func check(
        _ outcomes: [Outcome], _ made: Locked<[Part]>, _ failures: Counter, madeAtEnd: Int,
        _ location: SourceLocation = #_sourceLocation
    ) {
        for outcome in outcomes {
            switch outcome {
            case .part(let part): #expect(part.closed == 1, sourceLocation: location)
            case .refused: break
            case .other(let text): Issue.record("\(text)", sourceLocation: location)
            }
        }
        let all = made.withLock { $0 }
        #expect(all.count == madeAtEnd, "built after close()", sourceLocation: location)
        #expect(all.allSatisfy { $0.closed == 1 }, "not closed, or twice", sourceLocation: location)
        #expect(failures.count == 0, "closed before what uses it", sourceLocation: location)
    }

    /// Blocks the thread until the container is closed. For threads that run no tasks.
    @discardableResult
    private static func closeAndWait(_ container: DIContainer) -> Bool {
        let done = Latch()
        let failed = Counter()
        Task {
            do { try await container.close() } catch { failed.increment() }
            done.open()
        }
        return done.opens() && failed.count == 0
    }

    @Test("with first builds on 8 threads: each instance is closed once, after its users")
    func firstBuilds() async {
        let (served, refused) = (Counter(), Counter())
        for round in 0..<raceRounds {
            let (made, failures) = (Locked<[Part]>([]), Counter())
            let app = Self.container(6, made, failures)
            let madeAtEnd = Locked(0)
            let outcomes = await awaitThreads(raceThreads + 1) { index -> Outcome in
                if index == raceThreads {
                    for _ in 0..<(round % 20) { sched_yield() }
                    #expect(Self.closeAndWait(app), "\(round)")
                    madeAtEnd.withLock { $0 = made.withLock { $0.count } }
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
            Self.check(outcomes, made, failures, madeAtEnd: madeAtEnd.withLock { $0 })
        }
        // The rounds have both outcomes of the race.
        #expect(served.count > 0 && refused.count > 0)
    }

    @Test("of a child and of its parent, in any order, with first builds in the child")
    func childAndParent() async {
        for round in 0..<raceRounds {
            let (made, failures) = (Locked<[Part]>([]), Counter())
            let app = Self.container(6, made, failures)
            let child = app.makeChild()
            let outcomes = await awaitThreads(raceThreads) { index -> Outcome in
                switch index {
                case 0, 1:
                    for _ in 0..<(round % 20) { sched_yield() }
                    // The child's instances may be closed after the parent's instances that they use.
                    #expect(Self.closeAndWait((index == 0) == (round % 2 == 0) ? app : child), "\(round)")
                    return .refused
                default:
                    return Outcome { try child.resolve.orThrow(Part.self, name: RegistrationName("\(5 - index % 6)")) }
                }
            }
            let all = made.withLock { $0 }
            #expect(all.allSatisfy { $0.closed == 1 }, "\(round)")
            for case .other(let text) in outcomes { Issue.record("\(text)") }
        }
    }

    @Test("with reads of cached instances: each returns until the first error")
    func reads() async throws {
        for round in 0..<raceRounds {
            let (made, failures) = (Locked<[Part]>([]), Counter())
            let app = Self.container(2, made, failures)
            let child = app.makeChild()
            let name: RegistrationName = "0"
            let part = try app.resolve.orThrow(Part.self, name: name)
            let results = await awaitThreads(raceThreads) { index -> Bool in
                if index == 0 { return Self.closeAndWait(app) }
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

    @Test("with another close(): both wait, and every instance is closed once")
    func twice() async throws {
        for round in 0..<raceRounds {
            let (made, failures) = (Locked<[Part]>([]), Counter())
            let app = Self.container(4, made, failures)
            _ = try app.resolve.orThrow(Part.self, name: "3")
            let results = await awaitThreads(4) { _ -> Bool in
                Self.closeAndWait(app) && made.withLock { $0 }.allSatisfy { $0.closed == 1 }
            }
            #expect(results == Array(repeating: true, count: 4), "round \(round)")
            #expect(failures.count == 0, "round \(round)")
        }
    }

    @Test("with changes by factories that began before it")
    func changesInFactories() async {
        for round in 0..<raceRounds {
            let (made, failures) = (Locked<[Part]>([]), Counter())
            let app = Self.container(4, made, failures)
            let mayChange = Counter()
            app.register {
                Shared(name: "changing") { resolve in
                    mayChange.increment()
                    let part = Part(on: try resolve.orThrow(Part.self, name: "1"), made)
                    let container = DIContainer.current
                    switch round % 4 {
                    case 0: container.register(Shared(Part(made), name: "0").onClose { _ = $0.close() })
                    case 1: container.unregister(Part.self, name: "1")
                    case 2: container.resetInstances()
                    default: _ = container.makeChild()
                    }
                    // It may depend on the type that has just been changed.
                    _ = try resolve.orThrow(Part?.self, name: "0")
                    return part
                }
                .onClose { if !$0.close() { failures.increment() } }
            }
            let outcomes = await awaitThreads(2) { index -> Outcome in
                if index == 0 { return Outcome { try app.resolve.orThrow(Part.self, name: "changing") } }
                if round % 3 == 0 { while mayChange.count == 0, round % 2 == 0 { sched_yield() } }
                #expect(Self.closeAndWait(app), "\(round)")
                return .refused
            }
            Self.check(outcomes, made, failures, madeAtEnd: made.withLock { $0.count })
        }
    }

    @Test("with changes from outside, as long as the container is open")
    func changesFromOutside() async throws {
        // A later registration stops the program, so that the last change is the one before closing.
        for round in 0..<raceRounds {
            let (made, failures) = (Locked<[Part]>([]), Counter())
            let app = Self.container(4, made, failures)
            _ = await awaitThreads(4) { index in
                for _ in 0..<5 {
                    switch index {
                    case 0: app.register(Shared(Part(made), name: "0").onClose { _ = $0.close() })
                    case 1: app.resetInstances()
                    default: _ = try? app.resolve.orThrow(Part.self, name: RegistrationName("\(index)"))
                    }
                }
            }
            try await app.close()
            #expect(made.withLock { $0 }.allSatisfy { $0.closed == 1 }, "round \(round)")
            #expect(failures.count == 0, "round \(round)")
        }
    }

    @Test("with withChild: each child is closed or was not created")
    func withChild() async throws {
        for round in 0..<raceRounds {
            let (made, failures) = (Locked<[Part]>([]), Counter())
            let app = Self.container(2, made, failures)
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
            #expect(made.withLock { $0 }.allSatisfy { $0.closed == 1 }, "round \(round)")
        }
    }
}

@Suite(
    "Rule 20: Closing a container runs its handlers (races with asynchronous builds and children)", .mayHang, .ownThread
)
struct ClosingAsyncRaceTests {
    /// A part that counts its builds and closings.
    private struct Counts: Sendable {
        let built = Counter()
        let closed = Counter()
    }

    private final class Part: Sendable {
        private let counts: Counts
        private let closings = Counter()

        init(_ counts: Counts) {
            self.counts = counts
            counts.built.increment()
        }

        var closed: Int { closings.count }

        func close() {
            closings.increment()
            counts.closed.increment()
        }
    }

    @Test(
        "while a request waits for the parent: it builds nothing that is cached",
        arguments: [false, true], [false, true])
    func requestAfterClosing(isAsync: Bool, isQueueBusy: Bool) async throws {
        let (counts, began, gate) = (Counts(), Gate(), Gate())
        let (isOnQueue, mayLeave) = (Gate(), Latch())
        let app = DIContainer {
            Shared(async: { _ in
                began.open()
                try await gate.wait()
                return Ticket(number: 1)
            })
        }
        let part = isAsync ? Shared(async: { _ in Part(counts) }) : Shared(Part(counts))
        let child = app.makeChild {
            Shared(async: { _ in Diesel() })
            part.onClose { $0.close() }
            Shared { _ in
                isOnQueue.open()
                mayLeave.wait()
                return 1
            }
            New { resolve in
                let (diesel, ticket) = (try resolve.orThrow(Diesel.self), try resolve.orThrow(Ticket.self))
                return "\(diesel.kind) \(ticket.number) \(try resolve.orThrow(Part.self).closed)"
            }
        }
        let request = Task { try await child.resolve.async(String.self) }
        try await began.wait()
        if isQueueBusy {
            // Closing has to wait for the thread on the queue.
            let thread = BackgroundThread { child.resolve(Int.self) }
            try await isOnQueue.wait()
            async let closing: Void = child.close()
            await child.untilClosing()
            mayLeave.open()
            try await closing
            #expect(thread.result() == 1)
        } else {
            try await child.close()
        }
        gate.open()
        let error = await #expect(throws: ResolutionError.self) { try await request.value }
        #expect(error?.reason == .closed)
        #expect(counts.built.count == 0)
    }

    @Test("while a plain factory catches an asyncRequired error: no build begins")
    func heldBack() async throws {
        let (counts, began, mayEnd) = (Counts(), Gate(), Latch())
        let app = DIContainer {
            Shared(async: { _ in Diesel() })
            Shared(async: { _ in Part(counts) })
                .onClose { $0.close() }
            New { resolve in
                _ = try resolve.orThrow(Diesel.self)
                do { return "\(try resolve.orThrow(Part.self).closed)" } catch {
                    began.open()
                    mayEnd.wait()
                    throw error
                }
            }
        }
        let request = Task(executorPreference: Threads()) { try await app.resolve.async(String.self) }
        try await began.wait()
        try await app.close()
        mayEnd.open()
        let error = await #expect(throws: ResolutionError.self) { try await request.value }
        #expect(error?.reason == .closed)
        #expect(counts.built.count == 0)
    }

    @Test("a task that awaits an earlier build gets its value, even after close()")
    func isServed() async throws {
        for round in 0..<200 {
            let (began, gate) = (Gate(), Gate())
            let app = DIContainer {
                Shared(async: { _ in
                    began.open()
                    try await gate.wait()
                    return 1
                })
            }
            let request = Task { try await app.resolve.async(Int.self) }
            try await began.wait()
            let closing = Task { try await app.close() }
            await app.untilClosing()
            gate.open()
            #expect(try await request.value == 1, "round \(round)")
            try await closing.value
        }
    }

    @Test("while 200 requests wait for one build: all get its instance, closed once")
    func manyWait() async throws {
        let counts = Counts()
        let began = Counter()
        let gate = Gate()
        let app = DIContainer {
            Shared(async: { _ in
                began.increment()
                try await gate.wait()
                return Part(counts)
            })
            .onClose { $0.close() }
        }
        let waiting = Counter()
        try await withThrowingTaskGroup(of: Part?.self) { group in
            for round in 0..<200 {
                group.addTask {
                    waiting.increment()
                    do { return try await app.resolve.async(Part.self) } catch {
                        #expect((error as? ResolutionError)?.reason == .closed, "round \(round)")
                        return nil
                    }
                }
            }
            #expect(await eventually { waiting.count == 200 && began.count == 1 })
            let closing = Task { try await app.close() }
            await app.untilClosing()
            #expect(counts.closed.count == 0)
            gate.open()
            var parts: [Part] = []
            for try await case let part? in group { parts.append(part) }
            try await closing.value
            #expect(parts.allSatisfy { $0 === parts[0] && $0.closed == 1 })
        }
        #expect(counts.built.count == 1)
        #expect(counts.closed.count == 1)
    }

    @Test("with dependent asynchronous builds: each returned instance is closed once")
    func firstBuilds() async throws {
        let (served, refused) = (Counter(), Counter())
        for round in 0..<raceRounds {
            let counts = Counts()
            let app = DIContainer {
                for number in 0..<5 {
                    let name = RegistrationName("\(number)")
                    let base = RegistrationName("\(number - 1)")
                    if number % 2 == 0 {
                        Shared(
                            async: { resolve in
                                if number > 0 { _ = try await resolve.async(Part.self, name: base) }
                                await Task.yield()
                                return Part(counts)
                            }, name: name
                        )
                        .onClose { $0.close() }
                    } else {
                        Scoped(name: name) { resolve in
                            _ = try resolve.orThrow(Part.self, name: base)
                            return Part(counts)
                        }
                        .onClose { $0.close() }
                    }
                }
            }
            let parts = try await withThrowingTaskGroup(of: Part?.self) { group in
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
                    while counts.built.count < round % 6 { await Task.yield() }
                    try await app.close()
                    #expect(counts.built.count == counts.closed.count, "\(round)")
                    return nil
                }
                return try await group.reduce(into: []) { parts, part in parts.append(part) }
            }
            for part in parts {
                if let part { #expect(part.closed == 1, "round \(round)") }
                (part == nil ? refused : served).increment()
            }
            #expect(counts.built.count == counts.closed.count, "\(round)")
        }
        #expect(served.count > 0 && refused.count > raceRounds)
    }

    @Test("with abandoned builds: their instances are closed")
    func everybodyLeft() async throws {
        for round in 0..<raceRounds {
            let counts = Counts()
            let began = Counter()
            let app = DIContainer {
                Shared(async: { _ in
                    began.increment()
                    // This factory ignores its cancellation.
                    for _ in 0..<(round % 7) { await Task.yield() }
                    return Part(counts)
                })
                .onClose { $0.close() }
            }
            let request = Task { try? await app.resolve.async(Part.self) }
            #expect(await eventually { began.count == 1 }, "\(round)")
            request.cancel()
            if round % 2 == 0 { _ = await request.value }
            // The next request begins another build, so there may be two builds.
            let other = round % 3 == 0 ? Task { try? await app.resolve.async(Part.self) } : nil
            try await app.close()
            #expect(counts.closed.count == counts.built.count, "\(round)")
            _ = await (request.value, other?.value)
            #expect(counts.closed.count == counts.built.count, "\(round)")
            #expect(counts.built.count >= 1, "\(round)")
        }
    }

    @Test("with an abandoned and a repeated build: both instances are closed")
    func overtaken() async throws {
        let counts = Counts()
        let began = Counter()
        let mayEnd = [Counter(), Counter()]
        let app = DIContainer {
            Shared(async: { _ in
                let number = began.increment()
                #expect(await eventually { mayEnd[number - 1].count == 1 })
                return Part(counts)
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
        let part = await second.value
        #expect(part != nil)
        let closing = Task { try await app.close() }
        mayEnd[0].increment()
        try await closing.value
        #expect(counts.built.count == 2)
        #expect(counts.closed.count == 2)
    }

    @Test("with prepare(): every built instance is closed")
    func preparing() async throws {
        for round in 0..<raceRounds {
            let counts = Counts()
            let app = DIContainer {
                for number in 0..<6 {
                    Shared(
                        async: { _ in
                            await Task.yield()
                            return Part(counts)
                        }, name: RegistrationName("\(number)")
                    )
                    .onClose { $0.close() }
                }
            }
            async let prepared: Void = app.prepare()
            for _ in 0..<(round % 10) { await Task.yield() }
            try await app.close()
            #expect(counts.closed.count == counts.built.count, "\(round)")
            do { try await prepared } catch let error as PreparationError {
                #expect(error.failures.allSatisfy { $0.reason == .closed }, "\(round)")
            } catch { #expect((error as? ResolutionError)?.reason == .closed, "\(error)") }
            #expect(counts.closed.count == counts.built.count, "\(round)")
        }
    }
}
