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

    class Ferry: Vehicle, Port, @unchecked Sendable {}
    final class Catamaran: Ferry, @unchecked Sendable {}
    struct Ferri: Sendable {}

    /// Returns the suggestions of a request for each order of some registrations.
    private func suggestions<T>(for type: T.Type, among names: [String]) -> Set<[String]> {
        let registrations = [
            "Ferry named \"main\"": Module { Shared(Ferry(), name: "main") },
            "Ferry": Module { Shared(Ferry()) },
            "Catamaran": Module { Shared(Catamaran()) },
            "Vehicle": Module { Shared(Vehicle()) },
            "any Port": Module { Shared(Ferry() as any Port) },
            "any Port named \"main\"": Module { Shared(Ferry() as any Port, name: "main") },
            "Ferri": Module { Shared(Ferri()) },
        ]
        let orders = names.permutations.map { names in
            let container = DIContainer { for name in names { registrations[name]! } }
            let suggestions = container.error(of: T.self)?.suggestions ?? []
            return suggestions.map { $0.components(separatedBy: "  (")[0].replacing("OrderTests.", with: "") }
        }
        return Set(orders)
    }

    @Test("Rule 18: Suggestions have one order, however the types are registered")
    func suggestions() {
        let ofFerry = suggestions(for: Ferry.self, among: ["Ferry named \"main\"", "Catamaran", "Vehicle", "Ferri"])
        #expect(ofFerry == [["Ferry named \"main\"", "Catamaran", "Vehicle"]])
        let ofUnnamed = suggestions(for: Ferry.self, among: ["Catamaran", "any Port", "Ferri"])
        #expect(ofUnnamed == [["Catamaran", "any Port", "Ferri"]])
        let ofPort = suggestions(for: (any Port).self, among: ["any Port named \"main\"", "Ferry", "Catamaran"])
        #expect(ofPort == [["any Port named \"main\"", "Ferry", "Catamaran"]])
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
