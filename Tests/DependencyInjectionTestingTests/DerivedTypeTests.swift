import InjectionFixtures
import Testing

@testable import DependencyInjection
@testable import DependencyInjectionDiagnostics
@testable import DependencyInjectionTesting

/// Compares the verdicts of `validate()` and of the audit with the results of requests and calls, for every type that is
/// derived from a registered or missing one.
@Suite("Derived types")
struct DerivedTypeTests {
    @Test("validate() and the audit agree with requests and calls", arguments: Situation.all)
    func verdicts(_ situation: Situation) {
        var problems: [String] = []
        var results: Set<String> = []
        visitDerivedTypes(of: (any Router).self, depth: 3) { type in
            for viewer in situation.viewers {
                let result = situation.result(of: type, viewer)
                results.insert(result?.reason.description ?? "success")
                problems += situation.problems(of: type, viewer, result).map { "\(type), \(viewer.name): \($0)" }
            }
        }
        for problem in problems.prefix(10) { Issue.record("\(problem)") }
        #expect(problems.count < 10)
        #expect(results == ["success", "notRegistered", "argumentMismatch"])
    }
}

/// Calls a function with a type and with each type derived from it, to a depth.
func visitDerivedTypes<T: Sendable>(of type: T.Type, depth: Int, _ visit: (any Sendable.Type) -> Void) {
    visit(type)
    guard depth > 0 else { return }
    let derivedTypes: [any Sendable.Type] = [
        T?.self, Provider<T>.self, Provider<T, Int>.self, All<T>.self, [T].self,
    ]
    for derived in derivedTypes { visitDerivedTypes(of: derived, depth: depth - 1, visit) }
}

// MARK: Calling the providers in a value

/// A value of a derived type.
private protocol Derived {
    /// The values in it. A provider's value is the result of a call.
    var values: [Any] { get throws }
}

extension Optional: Derived {
    fileprivate var values: [Any] { map { [$0] } ?? [] }
}

extension All: Derived {
    fileprivate var values: [Any] { Array(self) }
}

extension Array: Derived {
    fileprivate var values: [Any] { self }
}

extension Provider: Derived {
    fileprivate var values: [Any] {
        get throws {
            let provider: Any = self
            if let plain = provider as? Provider<T> { return [try plain.orThrow()] }
            if let taking = provider as? Provider<T, Int> { return [try taking.orThrow(1)] }
            return []
        }
    }
}

/// Calls every provider in a value, and the providers in their results.
private func callProviders(in value: Any) throws {
    guard let derived = value as? any Derived else { return }
    for value in try derived.values { try callProviders(in: value) }
}

// MARK: The table

/// The container whose verdict is compared.
struct Viewer: Sendable {
    typealias View = @Sendable (DIContainer) -> DIContainer

    let name: String
    /// Whether the container caches the dependent.
    var isCached = false
    /// Whether the audit has a verdict. It doesn't know the dependents of a property.
    var isAudited = true
    /// Returns the container that is validated.
    var view: View = { $0 }
    /// The containers that make the request, one of which has to succeed. Empty for the validated container.
    var requesters: [View] = []

    static let container = Viewer(name: "not cached")
    static let caching = Viewer(name: "cached", isCached: true, isAudited: false)
    static let child = Viewer(name: "in a child") { $0.makeChild() }

    /// A declaration in the container is about children that register the type, in one way or another.
    static let declarations = [false, true].flatMap { isCached -> [Viewer] in
        let registering: View = { $0.makeChild { Shared(Implementation() as any Router) } }
        let taking: View = { $0.makeChild { New { (_, _: Int) in Implementation() as any Router } } }
        return [
            Viewer(
                name: "cached: \(isCached)", isCached: isCached, isAudited: !isCached,
                requesters: [registering, taking]),
            Viewer(name: "in a child, cached: \(isCached)", isCached: isCached, isAudited: false) { $0.makeChild() },
            Viewer(
                name: "in a child that registers it, cached: \(isCached)", isCached: isCached, isAudited: !isCached,
                view: registering),
        ]
    }
}

/// A registration of `Router`, or its absence, and a registration that depends on a type derived from it.
struct Situation: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let viewers: [Viewer]
    /// Whether all registrations have names.
    private let isNamed: Bool
    private let inherited: [Registration]
    private let leaf: [Registration]
    /// Whether the instance is cached, so that its factory needs no arguments any more.
    private let isBuilt: Bool

    private init(
        _ description: String, _ viewers: [Viewer] = [.container], isNamed: Bool = false,
        inherited: [Registration] = [], isBuilt: Bool = false,
        @RegistrationBuilder leaf: () -> [Registration] = { [] }
    ) {
        testDescription = description
        (self.viewers, self.isNamed, self.inherited) = (viewers, isNamed, inherited)
        (self.isBuilt, self.leaf) = (isBuilt, leaf())
    }

    /// A provider of another container.
    private static let provider: Provider<any Router> = DIContainer { Shared(Implementation() as any Router) }.resolve()
    private static let name = New(name: "name") { (_, _: Int) in Implementation() as any Router }.registrations

    static let all = [
        Situation("missing", [.container, .caching, .child]),
        Situation("registered", [.container, .caching, .child]) { Shared(Implementation() as any Router) },
        Situation(
            "inherited", [.container, .child], inherited: Shared(Implementation() as any Router).registrations),
        Situation("an alias") { Shared(Implementation(), as: (any Router).self) },
        Situation("an alias with an argument") {
            New({ (_: Resolver, _: Int) in Implementation() }, as: (any Router).self)
        },
        Situation("fitting arguments", [.container, .child]) { New { (_, _: Int) in Implementation() as any Router } },
        Situation("other arguments") { New { (_, _: String) in Implementation() as any Router } },
        Situation("two arguments") { New { (_, _: Int, _: Int) in Implementation() as any Router } },
        Situation("built with arguments", isBuilt: true) {
            Shared { (_, _: String) in Implementation() as any Router }
        },
        Situation("only a name", isNamed: true) { Shared(Implementation() as any Router, name: "name") },
        Situation("only a name, with an argument", isNamed: true) { name },
        Situation("only an inherited name, with an argument", [.container, .child], isNamed: true, inherited: name),
        Situation("only decorated") { Decorate((any Router).self) { base, _ in base } },
        Situation("provided by a child", Viewer.declarations) { ProvidedByChild((any Router).self) },
        // Only a type that is derived from it is registered.
        Situation("an array") { Shared([Implementation()] as [any Router]) },
        Situation("a provider") { Shared(provider) },
        Situation("a provider with an argument") { New { (_, _: Int) in provider } },
    ]

    private func container<T: Sendable>(with type: T.Type, _ viewer: Viewer) -> DIContainer {
        let container = DIContainer { inherited }.makeChild {
            leaf
            if viewer.isCached {
                Shared(autowiring: { (dependency: T) in [dependency as any Sendable] })
            } else {
                New(autowiring: { (dependency: T) in [dependency as any Sendable] })
            }
        }
        if isBuilt { _ = try? container.resolve.orThrow((any Router).self, arguments: "argument") }
        return container
    }

    /// The error of a request for the dependent, or of a call of a provider that it received.
    func result<T: Sendable>(of type: T.Type, _ viewer: Viewer) -> ResolutionError? {
        let errors = (viewer.requesters.isEmpty ? [viewer.view] : viewer.requesters).map {
            requester -> ResolutionError? in
            let container = requester(container(with: type, viewer))
            defer { withExtendedLifetime(container) {} }
            do {
                try callProviders(in: container.resolve.orThrow([any Sendable].self)[0])
                return nil
            } catch { return error as? ResolutionError }
        }
        return errors.contains { $0 == nil } ? nil : errors[0]
    }

    // MARK: Verdicts

    /// Returns a text for each verdict that differs from the result of a request and of the calls.
    func problems<T: Sendable>(of type: T.Type, _ viewer: Viewer, _ result: ResolutionError?) -> [String] {
        var problems: [String] = []
        let container = viewer.view(container(with: type, viewer))
        var findings: [ValidationFinding] = []
        do { try container.validate() } catch { findings = error.findings.filter(\.isError) }
        let isSame = findings.allSatisfy { finding in
            result.map { finding.kind == .error($0.reason) && finding.errorKeys.contains($0.dependency.key) } ?? false
        }
        if !isSame || findings.isEmpty != (result == nil) {
            problems.append("\(result?.problem ?? "It succeeds."), but validate() reports \(findings)")
        }
        guard viewer.isAudited else { return problems }
        let audited = AuditedDependency(Inject<T>.self, AuditedRegistrations(container))
        var status = InjectedProperty.Status.registered
        if let result {
            let isMissing = result.reason == .notRegistered
            let isByNameOnly = isNamed && result.dependency.type == (any Router).self
            status = !isMissing ? .argumentMismatch : isByNameOnly ? .byNameOnly : .missing
            if isMissing, audited.required?.type != result.dependency.type {
                problems.append(
                    "expected \(result.dependency), but the audit requires \(audited.required?.type as Any)")
            }
            if !isMissing, audited.status == .argumentMismatch {
                let expected = TypeNameFormatter(disambiguating: audited.expected).tuple(audited.expected)
                if !result.description.contains("takes \(expected),") {
                    problems.append("\(result), but the audit expects \(expected)")
                }
            }
        }
        if audited.status != status { problems.append("expected \(status), but the audit reports \(audited.status)") }
        return problems
    }
}
