import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

@Suite("Events and suggestions have one order")
struct OrderTests {
    /// A change that releases all instances.
    typealias Release = Row<@Sendable (DIContainer) async throws -> Void>

    static let releases = [
        Release("reset()") { $0.reset() },
        Release("resetInstances()") { $0.resetInstances() },
        Release("close()") { try await $0.close() },
    ]

    @Test("Rules 3, 20: The release of the instance that was built last is reported first", arguments: releases)
    func isReported(_ release: Release) async throws {
        let parent = DIContainer { Scoped("built fourth") }
        let child = parent.makeChild {
            Shared(autowiring: Car.init)
            Shared(Ticket(number: 3))
            Shared(Diesel() as any Engine)
        }
        let log = EventLog(child)
        _ = try (
            child.resolve.orThrow(Car.self), child.resolve.orThrow(Ticket.self), child.resolve.orThrow(String.self)
        )
        try await release.value(child)
        let released = log.texts.filter { $0.hasPrefix("released") }
        #expect(released == ["released String", "released Ticket", "released Car", "released any Engine"])
    }

    // MARK: Similar registrations

    class Vessel: @unchecked Sendable {}
    class Ferry: Vessel, Floating, @unchecked Sendable {}
    final class Catamaran: Ferry, @unchecked Sendable {}
    struct Ferri: Sendable {}

    static let similar: [SimilarTypes] = [
        SimilarTypes(Ferry.self, ["Ferry named \"main\"", "Catamaran", "Vessel", "Ferri"]),
        SimilarTypes(Ferry.self, ["Catamaran", "any Floating", "Ferri"]),
        SimilarTypes((any Floating).self, ["any Floating named \"main\"", "Ferry", "Catamaran"]),
    ]

    @Test("Rule 18: Suggestions have one order, however the types are registered", arguments: similar)
    func suggestions(_ types: SimilarTypes) {
        let orders = types.names.permutations.map { names in
            let container = DIContainer { for name in names { types.registrations[name]! } }
            let error = failure { try types.request(container.resolve) }
            return error?.suggestions.map { $0.components(separatedBy: "  (")[0].replacing("OrderTests.", with: "") }
        }
        #expect(Set(orders) == [Array(types.names.prefix(3))])
    }
}

protocol Floating: Sendable {}

/// A requested type, and registrations in the order in which an error suggests them.
struct SimilarTypes: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let names: [String]
    let request: @Sendable (Resolver) throws -> Void
    let registrations: [String: Module] = [
        "Ferry named \"main\"": Module { Shared(OrderTests.Ferry(), name: "main") },
        "Ferry": Module { Shared(OrderTests.Ferry()) },
        "Catamaran": Module { Shared(OrderTests.Catamaran()) },
        "Vessel": Module { Shared(OrderTests.Vessel()) },
        "any Floating": Module { Shared(OrderTests.Ferry() as any Floating) },
        "any Floating named \"main\"": Module { Shared(OrderTests.Ferry() as any Floating, name: "main") },
        "Ferri": Module { Shared(OrderTests.Ferri()) },
    ]

    init<T>(_ type: T.Type, _ names: [String]) {
        testDescription = "\(type): \(names.joined(separator: ", "))"
        self.names = names
        request = { _ = try $0.orThrow(T.self) }
    }
}

extension Array {
    /// The array in each order of its elements.
    fileprivate var permutations: [[Element]] {
        guard let first else { return [[]] }
        return Array(dropFirst()).permutations.flatMap { rest in
            (0...rest.count).map { Array(rest[..<$0]) + [first] + rest[$0...] }
        }
    }
}
