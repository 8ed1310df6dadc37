import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

private let programs = RandomPrograms(defaultCount: 40)

/// Runs random programs and compares what listings, graphs, findings and events report with what happens. Nothing that
/// is expected is written down: requests, weak references and searches by brute force show it.
@Suite("What is reported is what happens", .serialized, .ownThread)
struct ReportedTests {
    @Test("Listings, graphs, findings and events agree with what happens", arguments: 0..<10)
    func reports(part: UInt64) async {
        await programs.check(part: part, of: 10) { seed in
            let program = Program(seed: seed, isReported: true)
            let found = await program.reduced { await ProgramRun.mistake(in: $0, seed: seed) }
            return found.map { "seed \(seed)\n\($0.program.text)\n\($0.mistake)" }
        }
    }

    @Test("Unchecked are factories that get a resolver, and expressions other than literals")
    func unchecked() {
        check(1, isLiteral: true)
        check("text", isLiteral: true)
        check(true, isLiteral: true)
        check([1], isLiteral: false)
        check(Marker(container: 1), isLiteral: false)
    }

    /// Registers a value in all forms with all lifetimes, and compares the unchecked registrations with the forms.
    private func check<Value: Sendable>(_ value: Value, isLiteral: Bool) {
        for form in ValueForm.allCases {
            let container = DIContainer {
                form.registration(value, as: Shared<Value>.self, "shared")
                form.registration(value, as: New<Value>.self, "new")
                form.registration(value, as: Weak<Value>.self, "weak")
                form.registration(value, as: Scoped<Value>.self, "scoped")
                form.registration(value, as: Graph<Value>.self, "graph")
                Shared(async: { _ in value }, name: "awaited")
            }
            let isUnchecked = form.hasResolver || !form.isDeclared && !isLiteral
            let names = container.graph.uncheckedRegistrations.map { $0.name?.rawValue ?? "" }
            let expected = isUnchecked ? ["shared", "new", "weak", "scoped", "graph", "awaited"] : ["awaited"]
            #expect(names == expected, "\(form) of \(Value.self)")
        }
    }
}

/// The forms of a registration of a value, and what they declare.
private enum ValueForm: CaseIterable {
    case expression, initializer, trailing, factory, trailingFactory, autowiring, autowiringOnMainActor
    case mainActorExpression, mainActorInitializer, mainActorFactory

    /// Whether the author gets a resolver.
    var hasResolver: Bool { [.factory, .trailingFactory, .mainActorFactory].contains(self) }
    /// Whether an initializer declares its parameters.
    var isDeclared: Bool { [.autowiring, .autowiringOnMainActor].contains(self) }

    func registration<Form: _LifetimeRegistration & _SafeRegistration>(
        _ value: Form.Instance, as _: Form.Type, _ name: RegistrationName
    ) -> Form where Form.Instance: Sendable {
        switch self {
        case .expression: Form(value, name: name)
        case .initializer: Form({ value }, name: name)
        case .trailing: Form(name: name) { value }
        case .factory: Form({ (_: Resolver) in value }, name: name)
        case .trailingFactory: Form(name: name) { (_: Resolver) in value }
        case .autowiring: Form(autowiring: { value }, name: name)
        case .autowiringOnMainActor: Form(autowiring: { @MainActor in value }, name: name)
        case .mainActorExpression: Form(mainActor: value, name: name)
        case .mainActorInitializer: Form(mainActor: { value }, name: name)
        case .mainActorFactory: Form(mainActor: { (_: Resolver) in value }, name: name)
        }
    }
}
