import DependencyInjection
import Foundation
import Testing

private typealias Fix = Fault.Fix

/// Factories that fail, and containers that are sealed or closed.
enum LifecycleFaults {
    static let table: [Fault] = [
        Fault("A factory throws", "The factory of Ticket failed: sabotaged") {
            let container = DIContainer { Shared { _ -> Ticket in throw Sabotage() } }
            _ = try container.resolve.orThrow(Ticket.self)
        } fixes: {
            Fix("remove the cause of that error. Nothing was cached, and the next request runs the factory again") {
                let attempts = Counter()
                let container = DIContainer {
                    Shared { _ in
                        if attempts.increment() == 1 { throw Sabotage() }
                        return Ticket(number: 1)
                    }
                }
                #expect(failure { _ = try container.resolve.orThrow(Ticket.self) } != nil)
                _ = try container.resolve.orThrow(Ticket.self)
            }
        },
        Fault(
            "A value type is registered with Weak",
            "Ticket is registered with Weak, but Ticket is a value type, which nothing can retain."
        ) {
            let container = DIContainer { Weak(Ticket(number: 1)) }
            _ = try container.resolve.orThrow(Ticket.self)
        } fixes: {
            Fix("register it with `New`, which builds a value for each request") {
                let container = DIContainer { New(Ticket(number: 1)) }
                _ = try container.resolve.orThrow(Ticket.self)
            }
            Fix("register it with `Shared`") {
                let container = DIContainer { Shared(Ticket(number: 1)) }
                _ = try container.resolve.orThrow(Ticket.self)
            }
            Fix("make Ticket a class or an actor") {
                final class Ticket: Sendable {}
                let container = DIContainer { Weak(Ticket()) }
                _ = try container.resolve.orThrow(Ticket.self)
            }
        },
        Fault(
            "A sealed container is changed",
            "The container was sealed at File.swift:1 and can no longer be changed for Ticket.",
            fixes: [
                Fix("register before `seal()`") {
                    let container = DIContainer { Shared(Ticket(number: 1)) }
                    container.seal()
                    _ = try container.resolve.orThrow(Ticket.self)
                },
                Fix("change a copy: `container.fork { … }` or `DIContainer.withOverrides { … } operation: { … }`") {
                    let container = DIContainer()
                    container.seal()
                    _ = try container.fork { Shared(Ticket(number: 1)) }.resolve.orThrow(Ticket.self)
                    try DIContainer.withContainer(container) {
                        try DIContainer.withOverrides {
                            Shared(Ticket(number: 1))
                        } operation: {
                            _ = try DIContainer.resolve.orThrow(Ticket.self)
                        }
                    }
                },
            ]
        ) {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let container = DIContainer()
                container.seal()
                container.register(Shared(Ticket(number: 1)))
            }
            let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            let begin = try #require(output.firstRange(of: "The container was sealed"))
            let lines = output[begin.lowerBound...].components(separatedBy: "\n")
            let last = try #require(lines.lastIndex { $0.hasPrefix("   or: ") })
            return lines[...last].joined(separator: "\n")
        },
        Fault(
            "A closed container gets a request",
            "The container was closed by `close()` at File.swift:1, and can no longer be used for Ticket."
        ) {
            let container = DIContainer { Shared(Ticket(number: 1)) }
            try await container.close()
            _ = try container.resolve.orThrow(Ticket.self)
        } fixes: {
            Fix("request it before `close()`") {
                let container = DIContainer { Shared(Ticket(number: 1)) }
                _ = try container.resolve.orThrow(Ticket.self)
                try await container.close()
            }
            Fix("create another container, or a copy: `container.fork { … }`") {
                let container = DIContainer { Shared(Ticket(number: 1)) }
                try await container.close()
                _ = try container.fork { Shared(Diesel()) }.resolve.orThrow(Ticket.self)
            }
        },
        Fault(
            "A close handler closes its container",
            """
            `close()` at File.swift:1 was called in a factory or an `onClose` of the same container, and would wait for itself.
            """
        ) {
            let container = DIContainer()
            let errors = Locked<[any Error]>([])
            container.register {
                Shared(Ticket(number: 1)).onClose { _ in
                    do { try await container.close() } catch { errors.withLock { $0.append(error) } }
                }
            }
            _ = container.resolve(Ticket.self)
            try await container.close()
            if let error = errors.withLock({ $0.first }) { throw error }
        } fixes: {
            Fix("close the container after its work, in the code that created it") {
                let container = DIContainer { Shared(Ticket(number: 1)).onClose { _ in } }
                _ = container.resolve(Ticket.self)
                try await container.close()
            }
            Fix("remove the call from the `onClose`, which runs because the container is closing") {
                let container = DIContainer { Shared(Ticket(number: 1)).onClose { _ in } }
                _ = container.resolve(Ticket.self)
                try await container.close()
            }
        },
        Fault("An asynchronous build fails in prepare()", "1 asynchronous build failed.") {
            let container = DIContainer { Shared(async: { _ -> Ticket in throw Sabotage() }) }
            try await container.prepare()
        } fixes: {
            Fix("remove the cause of that error. Nothing was cached, and the next request runs the factory again") {
                let container = DIContainer { Shared(async: { _ in Ticket(number: 1) }) }
                try await container.prepare()
                _ = try container.resolve.orThrow(Ticket.self)
            }
        },
    ]
}
