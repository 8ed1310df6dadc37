import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

/// Follows each alternative of each fix that the library prints.
@Suite("Rule 18: the table of advice", .ownThread)
struct AdviceTests {
    static let faults: [Fault] =
        Fault.registrationFaults + Fault.cycleFaults + Fault.argumentFaults + Fault.isolationFaults
        + Fault.lifecycleFaults + Fault.findingFaults

    @Test(
        "An error states the problem and the alternatives of its fix", arguments: faults.filter { !$0.startsProcess })
    func advises(_ fault: Fault) async throws {
        for shape in fault.shapes { try await fault.check(in: shape) }
    }

    @Test("A fix has at most two alternatives, and a program that follows one works", arguments: faults)
    func works(_ fault: Fault) async throws {
        #expect(1...2 ~= fault.fixes.count)
        for shape in fault.shapes {
            for fix in fault.fixes {
                let container = shape.container(fault.registrations())
                do { try await fix.follow(fault, container, shape) } catch {
                    Issue.record(error, "after \"\(fix.advice)\" in \(shape)")
                }
            }
        }
    }
}

extension ExitTests {
    @Test("Rule 18: A report states the problem and the fix", arguments: AdviceTests.faults.filter { $0.startsProcess })
    static func advises(_ fault: Fault) async throws { try await fault.check(in: .root) }
}

/// A program that fails, the text of its error, and a program for each alternative of the fix in that text.
///
/// Most programs are registrations and a request. They fail alike in each container of a tree.
struct Fault: Sendable, CustomTestStringConvertible {
    typealias Registrations = @Sendable () -> [Registration]
    typealias Request = @Sendable (DIContainer) async throws -> Any

    /// The place of the program's container in a tree.
    enum Shape: CaseIterable {
        case root, child, grandchild, forkOfRoot, forkOfChild, forkOfGrandchild

        func container(_ registrations: [Registration]) -> DIContainer {
            let container =
                switch self {
                case .root, .forkOfRoot: DIContainer()
                case .child, .forkOfChild: DIContainer().makeChild()
                case .grandchild, .forkOfGrandchild: DIContainer().makeChild().makeChild()
                }
            container.register(registrations)
            return switch self {
            case .root, .child, .grandchild: container
            case .forkOfRoot, .forkOfChild, .forkOfGrandchild: container.fork()
            }
        }
    }

    let testDescription: String
    /// The first line of the error.
    let problem: String
    /// The alternatives of the fix, in order.
    let fixes: [Fix]
    /// Whether another process writes the text.
    private(set) var startsProcess = false
    /// The places of the container in which the program fails with this text.
    private(set) var shapes: [Shape] = [.root]
    private(set) var registrations: Registrations = { [] }
    /// The request that fails. Nil if validation finds the fault.
    private var request: Request?
    /// The text of the error in a container with the registrations.
    let errorText: @Sendable (DIContainer) async throws -> String
    /// The first line of the finding, if validation finds the same fault and prints the same fix.
    private var finding: String?
}

extension Fault {
    /// Creates a fault from a program that returns the text, such as a report.
    init(
        _ description: String, _ problem: String, startsProcess: Bool = false,
        text: @escaping @Sendable () async throws -> String, @FixBuilder fixes: () -> [Fix]
    ) {
        self.init(
            testDescription: description, problem: problem, fixes: fixes(), startsProcess: startsProcess,
            errorText: { _ in try await text() })
    }

    /// Creates a fault from a request that throws the error.
    init(
        _ description: String, _ problem: String, finding: String? = nil, in shapes: [Shape] = Shape.allCases,
        request: @escaping Request, @RegistrationBuilder of registrations: @escaping Registrations = { [] },
        @FixBuilder fixes: () -> [Fix]
    ) {
        self.init(
            testDescription: description, problem: problem, fixes: fixes(), shapes: shapes,
            registrations: registrations, request: request,
            errorText: { container in
                do { _ = try await request(container) } catch { return "\(error)" }
                return "The request does not fail."
            }, finding: finding)
    }

    /// Creates a fault from a plain request for a type that throws the error.
    init<T: Sendable>(
        requesting type: T.Type, _ description: String, _ problem: String, finding: String? = nil,
        in shapes: [Shape] = Shape.allCases,
        @RegistrationBuilder of registrations: @escaping Registrations, @FixBuilder fixes: () -> [Fix]
    ) {
        self.init(
            description, problem, finding: finding, in: shapes, request: { try $0.resolve.orThrow(type) },
            of: registrations, fixes: fixes)
    }

    /// Creates a fault from registrations with one finding of validation, or of validation by building.
    init(
        _ description: String, finding problem: String, by mode: ValidationMode? = nil,
        @RegistrationBuilder of registrations: @escaping Registrations, @FixBuilder fixes: () -> [Fix]
    ) {
        self.init(
            testDescription: description, problem: problem, fixes: fixes(),
            shapes: mode == nil ? Shape.allCases : [.root], registrations: registrations,
            errorText: { container in
                guard let mode else { return try only(container).description }
                return try only(await builtFindings(container, mode)).description
            })
    }

    /// Compares the first line of each text and the alternatives of its fix with the table, with `File.swift:1` for
    /// every place.
    func check(in shape: Shape) async throws {
        let container = shape.container(registrations())
        // A request may change what validation finds.
        let found = try finding.map { (text: try only(container).description, problem: $0) }
        let thrown = (text: try await errorText(container), problem: problem)
        for (text, problem) in [found, thrown].compactMap({ $0 }) {
            let text = text.replacing(try Regex(#"\w+/[\w+]+\.swift:\d+"#), with: "File.swift:1")
            let parts = text.components(separatedBy: "\n  fix: ")
            #expect(text.prefix { $0 != "\n" } == problem, "\(shape)")
            let advice = parts.count < 2 ? [] : parts[1].components(separatedBy: "\n   or: ")
            #expect(advice == fixes.map(\.advice), "\(shape)")
        }
    }

    /// Makes the request on the main actor, where it succeeds for every type, and expects no finding.
    @MainActor fileprivate func expectSuccess(in container: DIContainer) async throws {
        _ = try await request?(container)
        #expect(findings(container).isEmpty)
    }
}

/// One alternative of a fix, and how a program follows it.
struct Fix: Sendable {
    typealias Follow = @Sendable (Fault, DIContainer, Fault.Shape) async throws -> Void

    /// The text of the alternative, with `File.swift:1` for every place.
    let advice: String
    fileprivate let follow: Follow

    private init(_ advice: String, following follow: @escaping Follow) { (self.advice, self.follow) = (advice, follow) }

    /// Creates an alternative from another program, which throws no error.
    init(_ advice: String, program: @escaping @Sendable () async throws -> Void) {
        self.init(advice) { _, _, _ in try await program() }
    }

    /// Creates an alternative that changes the request.
    init(requesting advice: String, _ request: @escaping Fault.Request) {
        self.init(advice) { _, container, _ in _ = try await request(container) }
    }

    /// Creates an alternative that validates in another mode, or validates another container.
    init(
        validating advice: String, _ mode: ValidationMode = .building,
        of other: @escaping @Sendable (DIContainer) -> DIContainer = { $0 }
    ) {
        self.init(advice) { _, container, shape in
            let found = try await other(container).validate(mode)
            #expect(found.isEmpty, "\(shape)")
        }
    }

    /// Creates an alternative that adds registrations. The request then succeeds, and validation finds nothing.
    init(adding advice: String, @RegistrationBuilder _ registrations: @escaping Fault.Registrations) {
        self.init(advice) { fault, container, _ in
            container.register(registrations())
            try await fault.expectSuccess(in: container)
        }
    }

    /// Creates an alternative with other registrations. The request then succeeds, and validation finds nothing.
    init(replacing advice: String, @RegistrationBuilder _ registrations: @escaping Fault.Registrations) {
        self.init(advice) { fault, _, shape in try await fault.expectSuccess(in: shape.container(registrations())) }
    }
}

@resultBuilder enum FixBuilder {
    static func buildBlock(_ fixes: Fix...) -> [Fix] { fixes }
}

// Types for the programs in the table of advice. They are internal, because the library can't find private protocols.

protocol Repository<Element>: Sendable { associatedtype Element }
final class Rows<Element: Sendable>: Repository {}

@globalActor actor Clerk { static let shared = Clerk() }
@Clerk final class Ledger: Sendable { init(ticket: Ticket) {} }
