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

/// Makes rounds of simultaneous requests: `AsyncRequests FORM COUNT ROUNDS`.
@main enum AsyncRequests {
    /// Makes a request of a round, by its number. All builds of a round are in progress before one of them ends.
    typealias Request = @Sendable (Int) async throws -> Void

    /// Each request is made in a child of its own.
    @Sendable static func children(_ count: Int) -> Request {
        let barrier = Barrier(count)
        let parent = DIContainer {
            Scoped(async: { _ in
                await barrier.arrive()
                return Instance()
            })
        }
        let children = (0..<count).map { _ in parent.makeChild() }
        return { _ = try await children[$0].resolve.async(Instance.self) }
    }

    /// Each request is for another registration of one container.
    @Sendable static func registrations(_ count: Int) -> Request {
        let barrier = Barrier(count)
        let names = (0..<count).map { RegistrationName("\($0)") }
        let container = DIContainer {
            for name in names {
                Shared(
                    async: { _ in
                        await barrier.arrive()
                        return Instance()
                    }, name: name)
            }
        }
        return { _ = try await container.resolve.async(Instance.self, name: names[$0]) }
    }

    /// All requests join one build.
    @Sendable static func waiters(_ count: Int) -> Request {
        let barrier = Barrier(count + 1)
        let container = DIContainer {
            Shared(async: { _ in
                await barrier.arrive()
                return Instance()
            })
        }
        return { _ in
            async let instance = container.resolve.async(Instance.self)
            await barrier.arrive()
            _ = try await instance
        }
    }

    /// Not asynchronous, because valgrind doesn't support a main thread that ends.
    static func main() {
        let makeRounds = ["children": children, "registrations": registrations, "waiters": waiters]
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let makeRound = makeRounds[arguments[1]], let count = Int(arguments[2]),
            let rounds = Int(arguments[3])
        else { fatalError("usage: AsyncRequests FORM COUNT ROUNDS") }
        let isDone = DispatchSemaphore(value: 0)
        Task.detached {
            for _ in 0..<rounds {
                let request = makeRound(count)
                // No task group: removing a child takes it longer the more children it has.
                let tasks = (0..<count).map { index in Task { try await request(index) } }
                for task in tasks { try await task.value }
            }
            isDone.signal()
        }
        isDone.wait()
    }
}
