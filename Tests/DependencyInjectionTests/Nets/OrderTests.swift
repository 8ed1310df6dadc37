@testable import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

private let programs = RandomPrograms(defaultCount: 200)

/// Checks the order of releases in random programs, and the order of suggestions.
@Suite("Events and suggestions have one order", .serialized, .ownThread)
struct OrderTests {
    @Test("Rules 3, 20: The release of the instance that was built last is reported first", arguments: 0..<4)
    func order(part: UInt64) async {
        await programs.check(part: part, of: 4) {
            Program(seed: $0, for: .contributions)
        } mistake: { program in
            // Asynchronous builds end in any order.
            if program.isAsync { return nil }
            return await ProgramRun.with(program) { await $0.orderMistake() }
        }
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

extension ProgramRun {
    /// Runs the program, and returns releases whose order is wrong.
    fileprivate mutating func orderMistake() async -> String? {
        var releases = containers.enumerated().compactMap { index, container in
            container.map { ReleaseOrder(in: $0, index) }
        }
        for (index, step) in program.steps.enumerated() {
            _ = await perform(step, index)
            world.letGo()
            for container in releases.indices {
                if let mistake = releases[container].mistake(after: step.action) { return "step \(index): \(mistake)" }
            }
        }
        for index in containers.indices.reversed() {
            _ = await close(index, fails: false)
            if let mistake = releases[index].mistake(after: .close(fails: false)) { return mistake }
        }
        return nil
    }

    /// Compares the order of releases with the order of builds in one container.
    private struct ReleaseOrder {
        let log: EventLog
        let index: Int
        /// The registrations that the container has built, in order.
        var built: [Registration] = []

        init(in container: DIContainer, _ index: Int) {
            log = EventLog(container)
            self.index = index
        }

        mutating func mistake(after action: Program.Action) -> String? {
            let events = log.events
            built += events.filter { $0.kind == .built }.compactMap(\.registration)
            // Other steps release the instances of one key.
            guard action.releasesAll else { return nil }
            let released = events.filter { $0.kind == .released }.compactMap(\.registration)
            let places = released.map { registration in built.lastIndex { $0 === registration } ?? -1 }
            if places == places.sorted(by: >) { return nil }
            return "c\(index) has built \(built.map(\.line)) and released \(released.map(\.line))"
        }
    }
}
