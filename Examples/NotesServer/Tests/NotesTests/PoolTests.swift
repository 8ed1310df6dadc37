import SQLite
import Testing

struct PoolTests {
    private static func pool(_ count: Int) async throws -> Pool {
        var connections: [Connection] = []
        for _ in 0..<count { connections.append(try await Connection.open(":memory:")) }
        return Pool(connections)
    }

    private static func wait(until isTrue: () -> Bool) async {
        while !isTrue() { await Task.yield() }
    }

    @Test(.timeLimit(.minutes(1))) func servesCallersInOrder() async throws {
        let pool = try await Self.pool(1)
        let lent = try await pool.take()
        let served = Locked([Int]())
        try await withThrowingTaskGroup { group in
            for number in 1...5 {
                group.addTask {
                    let connection = try await pool.take()
                    served.withLock { $0.append(number) }
                    pool.giveBack(connection)
                }
                await Self.wait { pool.waiting == number }
            }
            pool.giveBack(lent)
            try await group.waitForAll()
        }
        #expect(served.withLock { $0 } == [1, 2, 3, 4, 5])
    }

    @Test(.timeLimit(.minutes(1))) func lendsEachConnectionOnce() async throws {
        let pool = try await Self.pool(3)
        let counts = Locked((now: 0, most: 0))
        try await withThrowingTaskGroup { group in
            for _ in 0..<30 {
                group.addTask {
                    let connection = try await pool.take()
                    counts.withLock {
                        $0.now += 1
                        $0.most = max($0.most, $0.now)
                    }
                    try await connection.rows("SELECT 1")
                    counts.withLock { $0.now -= 1 }
                    pool.giveBack(connection)
                }
            }
            try await group.waitForAll()
        }
        #expect((1...3).contains(counts.withLock { $0.most }))
        #expect(pool.waiting == 0)
    }

    @Test(.timeLimit(.minutes(1))) func canceledCallerLeavesTheQueue() async throws {
        let pool = try await Self.pool(1)
        let lent = try await pool.take()
        let canceled = Task { try await pool.take() }
        await Self.wait { pool.waiting == 1 }
        let next = Task { try await pool.take() }
        await Self.wait { pool.waiting == 2 }
        canceled.cancel()
        await #expect(throws: CancellationError.self) { try await canceled.value }
        #expect(pool.waiting == 1)
        pool.giveBack(lent)
        #expect(try await next.value === lent)
    }

    @Test(.timeLimit(.minutes(1))) func canceledCallerGetsNoConnection() async throws {
        let pool = try await Self.pool(1)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await pool.take()
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        _ = try await pool.take()
    }

    @Test(.timeLimit(.minutes(1))) func closingWaitsForLentConnections() async throws {
        let pool = try await Self.pool(2)
        let lent = try await pool.take()
        let isClosed = Locked(false)
        let closing = Task {
            await pool.close()
            isClosed.withLock { $0 = true }
        }
        // A caller that arrives after closing has begun gets nothing, though a connection is available.
        while let taken = try? await pool.take() {
            pool.giveBack(taken)
            await Task.yield()
        }
        #expect(!isClosed.withLock { $0 })
        try await lent.rows("SELECT 1")
        pool.giveBack(lent)
        await closing.value
        await #expect(throws: PoolError.closed) { try await lent.rows("SELECT 1") }
    }

    @Test(.timeLimit(.minutes(1))) func closingRefusesWaitingCallers() async throws {
        let pool = try await Self.pool(1)
        let lent = try await pool.take()
        let waiting = Task { try await pool.take() }
        await Self.wait { pool.waiting == 1 }
        let closing = Task { await pool.close() }
        await #expect(throws: PoolError.closed) { try await waiting.value }
        pool.giveBack(lent)
        await closing.value
    }
}
