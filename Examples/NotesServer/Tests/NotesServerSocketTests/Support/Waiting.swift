import Foundation

/// Runs blocking work on its own thread, so that the few threads that tasks share stay free for the other tests.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}

/// Repeats the check until it is true. Returns false if that takes longer than the limit, which is long
/// enough for a busy machine: it ends a test that would fail anyway.
func eventually(
    within limit: Duration = .seconds(30), isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async throws -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + limit
    while try await !condition() {
        guard clock.now < end else { return false }
        try await Task.sleep(for: .milliseconds(10))
    }
    return true
}

/// Runs the operation the given number of times concurrently, and returns the results in the order of the numbers.
func concurrently<Value: Sendable>(
    _ count: Int, _ operation: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: (Int, Value).self) { group in
        for number in 0..<count { group.addTask { (number, try await operation(number)) } }
        var values: [Int: Value] = [:]
        for try await (number, value) in group { values[number] = value }
        return (0..<count).compactMap { values[$0] }
    }
}
