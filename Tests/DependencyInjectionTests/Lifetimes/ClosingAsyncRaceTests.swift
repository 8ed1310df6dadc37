import DependencyInjection
import Foundation
import Testing

@Suite("Rule 20: races of close() with asynchronous builds and with children", .mayHang, .ownThread)
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
            #expect(await eventually { failure { _ = try child.resolve.orThrow(Double.self) }?.reason == .closed })
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
        for _ in 0..<200 {
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
            #expect(await eventually { failure { _ = try app.resolve.orThrow(Ticket.self) }?.kind == "closed" })
            gate.open()
            #expect(try await request.value == 1)
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
            for _ in 0..<200 {
                group.addTask {
                    waiting.increment()
                    do { return try await app.resolve.async(Part.self) } catch {
                        #expect((error as? ResolutionError)?.reason == .closed)
                        return nil
                    }
                }
            }
            #expect(await eventually { waiting.count == 200 && began.count == 1 })
            let closing = Task { try await app.close() }
            #expect(await eventually { failure { _ = try app.resolve.orThrow(Ticket.self) }?.kind == "closed" })
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
                    #expect(counts.built.count == counts.closed.count)
                    return nil
                }
                return try await group.reduce(into: []) { parts, part in parts.append(part) }
            }
            for part in parts {
                if let part { #expect(part.closed == 1) }
                (part == nil ? refused : served).increment()
            }
            #expect(counts.built.count == counts.closed.count)
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
            #expect(await eventually { began.count == 1 })
            request.cancel()
            if round % 2 == 0 { _ = await request.value }
            // The next request begins another build, so there may be two builds.
            let other = round % 3 == 0 ? Task { try? await app.resolve.async(Part.self) } : nil
            try await app.close()
            #expect(counts.closed.count == counts.built.count)
            _ = await (request.value, other?.value)
            #expect(counts.closed.count == counts.built.count)
            #expect(counts.built.count >= 1)
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
            #expect(counts.closed.count == counts.built.count)
            do { try await prepared } catch let error as PreparationError {
                #expect(error.failures.allSatisfy { $0.reason == .closed })
            } catch { #expect((error as? ResolutionError)?.reason == .closed, "\(error)") }
            #expect(counts.closed.count == counts.built.count)
        }
    }
}
