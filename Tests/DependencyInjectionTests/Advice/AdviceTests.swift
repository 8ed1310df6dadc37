import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

/// Follows each alternative of each fix that the library prints.
@Suite("Rule 18: the table of advice", .ownThread)
struct AdviceTests {
    static let faults =
        RegistrationFaults.table + CycleFaults.table + ArgumentFaults.table + IsolationFaults.table
        + LifecycleFaults.table + FindingFaults.table

    @Test(
        "An error states the problem and the alternatives of its fix", arguments: faults.filter { !$0.startsProcess })
    func advises(_ fault: Fault) async throws { try await fault.check() }

    @Test("A fix has at most two alternatives, and a program that follows one works", arguments: faults)
    func works(_ fault: Fault) async throws {
        #expect(1...2 ~= fault.fixes.count)
        for fix in fault.fixes {
            do { try await fix.program() } catch { Issue.record(error, "after \"\(fix.advice)\"") }
        }
    }

    @Test("The table has at least 40 faults, each with its own description")
    func size() {
        #expect(Self.faults.count >= 40)
        #expect(Set(Self.faults.map(\.testDescription)).count == Self.faults.count)
    }
}

extension ExitTests {
    @Suite("Rule 18: the table of advice, in another process") struct AdviceReportTests {}
}

extension ExitTests.AdviceReportTests {
    @Test("A report states the problem and the fix", arguments: AdviceTests.faults.filter { $0.startsProcess })
    func advises(_ fault: Fault) async throws { try await fault.check() }
}

/// A program that fails, the text of its error, and a program for each alternative of the fix in that text.
struct Fault: Sendable, CustomTestStringConvertible {
    /// One alternative of a fix, and the program after following it.
    struct Fix: Sendable {
        /// The text of the alternative, with `File.swift:1` for every place.
        let advice: String
        /// The program, which resolves without an error.
        let program: @Sendable () async throws -> Void

        init(_ advice: String, program: @escaping @Sendable () async throws -> Void) {
            self.advice = advice
            self.program = program
        }

        /// Creates an alternative whose registrations resolve a type and have no finding.
        init<T: Sendable>(
            _ advice: String, resolving type: T.Type,
            @RegistrationBuilder of registrations: @escaping @Sendable () -> [Registration]
        ) {
            self.init(advice) {
                let container = DIContainer(registrations)
                _ = try container.resolve.orThrow(type)
                try expectNoFinding(in: container)
            }
        }

        /// Creates an alternative whose registrations have no finding.
        static func valid(
            _ advice: String, @RegistrationBuilder _ registrations: @escaping @Sendable () -> [Registration]
        ) -> Fix {
            Fix(advice) { try expectNoFinding(registrations) }
        }
    }

    @resultBuilder enum FixBuilder {
        static func buildBlock(_ fixes: Fix...) -> [Fix] { fixes }
    }

    let testDescription: String
    /// The first line of the error.
    let problem: String
    /// The alternatives of the fix, in order.
    let fixes: [Fix]
    /// Whether another process writes the text.
    let startsProcess: Bool
    /// The text of the error.
    let text: @Sendable () async throws -> String
    /// The first line and the text of the finding, if validation finds the same fault and prints the same fix.
    private var finding: (problem: String, text: @Sendable () throws -> String)?

    /// Creates a fault from a program that throws the error.
    init(
        _ description: String, _ problem: String, program: @escaping @Sendable () async throws -> Void,
        @FixBuilder fixes: () -> [Fix]
    ) {
        self.init(description, problem, fixes: fixes()) {
            do { try await program() } catch { return "\(error)" }
            return "The program does not fail."
        }
    }

    /// Creates a fault from a program that returns the text, such as a warning.
    init(
        _ description: String, _ problem: String, fixes: [Fix], startsProcess: Bool = false,
        text: @escaping @Sendable () async throws -> String
    ) {
        testDescription = description
        self.problem = problem
        self.fixes = fixes
        self.startsProcess = startsProcess
        self.text = text
    }

    /// Creates a fault from registrations and a type, a request for which throws the error.
    static func request<T: Sendable>(
        _ type: T.Type, _ description: String, _ problem: String, finding: String? = nil,
        @RegistrationBuilder of registrations: @escaping @Sendable () -> [Registration], @FixBuilder fixes: () -> [Fix]
    ) -> Fault {
        var fault = Fault(description, problem, fixes: fixes()) {
            let container = DIContainer(registrations)
            return failure { _ = try container.resolve.orThrow(type) }?.description ?? "The program does not fail."
        }
        fault.finding = finding.map { problem in (problem, { try only(DIContainer(registrations)).description }) }
        return fault
    }

    /// Creates a fault from registrations with one finding.
    static func finding(
        _ description: String, _ problem: String, fixes: [Fix],
        @RegistrationBuilder of registrations: @escaping @Sendable () -> [Registration]
    ) -> Fault {
        Fault(description, problem, fixes: fixes) { try only(DIContainer(registrations)).description }
    }

    /// Compares the text of the error with the table.
    func check() async throws {
        try check(await text(), problem)
        if let finding { try check(finding.text(), finding.problem) }
    }

    /// Compares the first line of a text and the alternatives of its fix, with `File.swift:1` for every place.
    private func check(_ text: String, _ problem: String) throws {
        let text = text.replacing(try Regex(#"\w+/[\w+]+\.swift:\d+"#), with: "File.swift:1")
        let parts = text.components(separatedBy: "\n  fix: ")
        #expect(text.prefix { $0 != "\n" } == problem)
        #expect((parts.count < 2 ? [] : parts[1].components(separatedBy: "\n   or: ")) == fixes.map(\.advice))
    }
}

/// Validates registrations, and fails the test if there is a finding.
func expectNoFinding(@RegistrationBuilder _ registrations: () -> [Registration]) throws {
    try expectNoFinding(in: DIContainer(registrations))
}

/// Validates a container, and fails the test if there is a finding.
func expectNoFinding(in container: DIContainer) throws {
    let found = try container.validate()
    #expect(found.isEmpty, "\(found)")
}

// Types for the programs in the table of advice. They are internal, because the library can't find private protocols.

protocol Pane {}
@MainActor final class MainPane: Pane {}

protocol Repository<Element>: Sendable { associatedtype Element }
struct Rows<Element: Sendable>: Repository {}

/// A type that depends on the implementation of a protocol.
final class Garage: Sendable { init(diesel: Diesel) {} }

final class Voyage: Sendable {
    let number: Int
    let engine: any Engine
    init(number: Int, engine: any Engine) {
        self.number = number
        self.engine = engine
    }
}

@MainActor final class Cockpit: Sendable {}
final class Cabin: Sendable {
    let cockpit: Cockpit
    init(cockpit: Cockpit) { self.cockpit = cockpit }
}
final class Ship: Sendable {
    let number: Int
    init(number: Int, cockpit: Cockpit) { self.number = number }
}

final class Bureau: Sendable { init(app: DIContainer) {} }
final class Kiosk: Sendable { init(ticket: LazyInject<Ticket>) {} }
final class Cock: Sendable { init(_ pullet: Pullet) {} }
final class Pullet: Sendable { init(_ cock: Cock) {} }

struct Bough: Sendable { var twigs = 0 }

final class Turn: @unchecked Sendable {
    let partner: Partner
    init(partner: Partner) { self.partner = partner }
}
final class Partner: @unchecked Sendable { weak var turn: Turn? }

actor Clerk {}
@globalActor actor ClerkActor { static let shared = Clerk() }
@ClerkActor final class Ledger: Sendable { init(ticket: Ticket) {} }
