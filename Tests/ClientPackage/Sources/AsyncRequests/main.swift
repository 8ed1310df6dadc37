import DependencyInjection
import Foundation

final class Instance: Sendable {}

/// Suspends tasks until a number of them has arrived.
actor Barrier {
    private var remaining: Int
    private var arrived: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { remaining = count }

    func arrive() async {
        remaining -= 1
        if remaining > 0 { return await withCheckedContinuation { arrived.append($0) } }
        for task in arrived { task.resume() }
    }
}

/// Makes a request of a round, by its number. All builds of a round are in progress before one of them ends.
typealias Request = @Sendable (Int) async throws -> Void

/// Creates the container and the request of a round.
func makeRound(_ form: String, _ count: Int) -> Request {
    // In the form `waiters`, the build and all its requests arrive.
    let barrier = Barrier(form == "waiters" ? count + 1 : count)
    let make: @Sendable (Resolver) async -> Instance = { _ in
        await barrier.arrive()
        return Instance()
    }
    switch form {
    case "children":
        // Each request is made in a child of its own.
        let parent = DIContainer { Scoped(async: make) }
        let children = (0..<count).map { _ in parent.makeChild() }
        return { _ = try await children[$0].resolve.async(Instance.self) }
    case "registrations":
        // Each request is for another registration of one container.
        let names = (0..<count).map { RegistrationName("\($0)") }
        let container = DIContainer { for name in names { Shared(async: make, name: name) } }
        return { _ = try await container.resolve.async(Instance.self, name: names[$0]) }
    case "waiters":
        // All requests join one build.
        let container = DIContainer { Shared(async: make) }
        return { _ in
            async let instance = container.resolve.async(Instance.self)
            await barrier.arrive()
            _ = try await instance
        }
    default: fatalError("unknown form: \(form)")
    }
}

// Makes rounds of simultaneous requests: `AsyncRequests FORM COUNT ROUNDS`. Awaits nothing, because valgrind doesn't
// support a main thread that ends.
let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[2]), let rounds = Int(arguments[3]) else {
    fatalError("usage: AsyncRequests FORM COUNT ROUNDS")
}
let isDone = DispatchSemaphore(value: 0)
Task.detached { [form = arguments[1], count, rounds] in
    for _ in 0..<rounds {
        let request = makeRound(form, count)
        // No task group: removing a child takes it longer the more children it has.
        let tasks = (0..<count).map { index in Task { try await request(index) } }
        for task in tasks { try await task.value }
    }
    isDone.signal()
}
isDone.wait()
