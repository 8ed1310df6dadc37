import Testing

@testable import DependencyInjection
@testable import DependencyInjectionDiagnostics
@testable import DependencyInjectionTesting

/// Compares the verdicts of `validate()` and of the audit with the results of requests and calls, for every type that is
/// derived from a registered or missing one.
@Suite("Derived types")
struct DerivedTypeTests {
    @Test("validate() and the audit agree with requests and calls", arguments: DerivedTypeRow.Situation.allCases)
    func verdicts(_ situation: DerivedTypeRow.Situation) {
        var problems: [String] = []
        var results: Set<String> = []
        visitDerivedTypes(of: (any Leaf).self, depth: 3) { type in
            for row in DerivedTypeRow.all(of: situation) {
                let result = row.result(of: type)
                results.insert(result?.reason.description ?? "success")
                problems += row.problems(of: type, result).map { "\(type), \(row): \($0)" }
            }
        }
        for problem in problems.prefix(10) { Issue.record("\(problem)") }
        #expect(problems.count < 10)
        #expect(results == ["success", "notRegistered", "argumentMismatch"])
    }

    @Test("The table has every type to a depth of three")
    func size() {
        var types: Set<ObjectIdentifier> = []
        visitDerivedTypes(of: (any Leaf).self, depth: 3) { types.insert(ObjectIdentifier($0)) }
        #expect(types.count == 1 + 5 + 25 + 125)
    }
}

protocol Leaf: Sendable {}
private struct LeafImpl: Leaf {}

/// Calls a function with a type and with each type derived from it, to a depth.
func visitDerivedTypes(of type: any Sendable.Type, depth: Int, _ visit: (any Sendable.Type) -> Void) {
    func derivedTypes<T: Sendable>(of type: T.Type) -> [any Sendable.Type] {
        [T?.self, Provider<T>.self, Provider<T, Int>.self, All<T>.self, [T].self]
    }
    visit(type)
    guard depth > 0 else { return }
    for derived in derivedTypes(of: type) { visitDerivedTypes(of: derived, depth: depth - 1, visit) }
}

// MARK: Calling the providers in a value

private protocol Derived {
    /// Calls every provider in the value, and the providers in their results.
    func call() throws
}

private func callProviders<T>(in value: T) throws { try (value as? any Derived)?.call() }

extension Optional: Derived {
    fileprivate func call() throws { if let self { try callProviders(in: self) } }
}

extension Sequence where Self: Derived {
    fileprivate func call() throws { for element in self { try callProviders(in: element) } }
}

extension All: Derived {}
extension Array: Derived {}

extension Provider: Derived {
    fileprivate func call() throws {
        let provider: Any = self
        if let plain = provider as? Provider<T> { try callProviders(in: plain.orThrow()) }
        if let taking = provider as? Provider<T, Int> { try callProviders(in: taking.orThrow(1)) }
    }
}

// MARK: The table

/// A registration of `Leaf`, or its absence, and a registration that depends on a type derived from it.
struct DerivedTypeRow: Sendable, CustomStringConvertible {
    enum Situation: CaseIterable {
        case missing, registered, alias, fittingArguments, otherArguments, twoArguments, aliasWithArguments
        /// The instance is cached, so that its factory needs no arguments any more.
        case builtWithArguments
        case namedOnly, namedWithArguments, decoratedOnly, providedByChild
        /// Registered by the parent of the container.
        case inherited, inheritedNameWithArguments
        /// Only a type that is derived from it is registered.
        case array, provider, providerWithArguments
    }

    /// The container whose verdict is compared.
    enum Viewer { case container, child, childThatRegisters }

    let situation: Situation
    /// Whether the container caches the dependent.
    let isCached: Bool
    let viewer: Viewer

    var description: String {
        "\(situation), dependent \(isCached ? "cached" : "not cached"), validated in the \(viewer)"
    }

    static func all(of situation: Situation) -> [DerivedTypeRow] {
        func row(_ viewer: Viewer, isCached: Bool = false) -> DerivedTypeRow {
            DerivedTypeRow(situation: situation, isCached: isCached, viewer: viewer)
        }
        switch situation {
        // Only declarations are about the cache of the dependent.
        case .providedByChild:
            return [Viewer.container, .child, .childThatRegisters].flatMap { [row($0), row($0, isCached: true)] }
        case .missing, .registered: return [row(.container), row(.container, isCached: true), row(.child)]
        case .fittingArguments, .inherited, .inheritedNameWithArguments: return [row(.container), row(.child)]
        case .alias, .otherArguments, .twoArguments, .aliasWithArguments, .builtWithArguments, .namedOnly,
            .namedWithArguments, .decoratedOnly, .array, .provider, .providerWithArguments:
            return [row(.container)]
        }
    }

    @RegistrationBuilder private var leaf: [Registration] {
        switch situation {
        case .missing, .inherited, .inheritedNameWithArguments: if false { Shared(1) }
        case .registered: Shared(LeafImpl() as any Leaf)
        case .alias: Shared(LeafImpl(), as: (any Leaf).self)
        case .aliasWithArguments: New({ (_: Resolver, _: Int) in LeafImpl() }, as: (any Leaf).self)
        case .fittingArguments: New { (_, _: Int) in LeafImpl() as any Leaf }
        case .otherArguments: New { (_, _: String) in LeafImpl() as any Leaf }
        case .twoArguments: New { (_, _: Int, _: Int) in LeafImpl() as any Leaf }
        case .builtWithArguments: Shared { (_, _: String) in LeafImpl() as any Leaf }
        case .namedOnly: Shared(LeafImpl() as any Leaf, name: "name")
        case .namedWithArguments: New(name: "name") { (_, _: Int) in LeafImpl() as any Leaf }
        case .decoratedOnly: Decorate((any Leaf).self) { base, _ in base }
        case .providedByChild: ProvidedByChild((any Leaf).self)
        case .array: Shared([LeafImpl()] as [any Leaf])
        case .provider: Shared(Self.provider)
        case .providerWithArguments: New { (_, _: Int) in Self.provider }
        }
    }

    /// A provider of another container.
    private static let provider: Provider<any Leaf> = DIContainer { Shared(LeafImpl() as any Leaf) }.resolve()

    private func user<T: Sendable>(of type: T.Type) -> [Registration] {
        isCached
            ? Shared(autowiring: { (dependency: T) in User(dependency: dependency) }).registrations
            : New(autowiring: { (dependency: T) in User(dependency: dependency) }).registrations
    }

    private struct User: Sendable { let dependency: any Sendable }

    private func container<T: Sendable>(with type: T.Type) -> DIContainer {
        let parent = DIContainer {
            if situation == .inherited { Shared(LeafImpl() as any Leaf) }
            if situation == .inheritedNameWithArguments { New(name: "name") { (_, _: Int) in LeafImpl() as any Leaf } }
        }
        let container = parent.makeChild {
            leaf
            user(of: type)
        }
        if situation == .builtWithArguments {
            _ = try? container.resolve.orThrow((any Leaf).self, arguments: "argument")
        }
        return container
    }

    private func viewer(of container: DIContainer) -> DIContainer {
        switch viewer {
        case .container: container
        case .child: container.makeChild()
        case .childThatRegisters: container.makeChild { Shared(LeafImpl() as any Leaf) }
        }
    }

    /// The error of a request for the dependent, or of a call of a provider that it received.
    func result<T: Sendable>(of type: T.Type) -> ResolutionError? {
        switch viewer {
        // A declaration in the container is about children that register the type, in one way or another.
        case .container where situation == .providedByChild:
            let plain = result(of: type) { $0.makeChild { Shared(LeafImpl() as any Leaf) } }
            let taking = result(of: type) { $0.makeChild { New { (_, _: Int) in LeafImpl() as any Leaf } } }
            return taking == nil ? nil : plain
        case .container, .child, .childThatRegisters: return result(of: type, in: viewer(of:))
        }
    }

    private func result<T: Sendable>(
        of type: T.Type, in requester: (DIContainer) -> DIContainer
    ) -> ResolutionError? {
        let container = requester(container(with: type))
        defer { withExtendedLifetime(container) {} }
        do {
            let user = try container.resolve.orThrow(User.self)
            try callProviders(in: user.dependency)
            return nil
        } catch { return error as? ResolutionError }
    }

    // MARK: Verdicts

    /// Returns a text for each verdict that differs from the result of a request and of the calls.
    func problems<T: Sendable>(of type: T.Type, _ result: ResolutionError?) -> [String] {
        var problems: [String] = []
        let findings = findings(of: type)
        let isSame = findings.allSatisfy { finding in
            result.map { finding.kind == .error($0.reason) && finding.errorKeys.contains($0.dependency.key) } ?? false
        }
        if !isSame || findings.isEmpty != (result == nil) {
            problems.append("\(result?.problem ?? "It succeeds."), but validate() reports \(findings)")
        }
        // The audit doesn't know the dependents of a property.
        if !isCached, viewer != .child || situation != .providedByChild {
            let audited = AuditedDependency(
                Inject<T>.self, AuditedRegistrations(viewer(of: container(with: type))))
            problems += self.problems(of: audited, result)
        }
        return problems
    }

    /// The errors that the validation reports.
    private func findings<T: Sendable>(of type: T.Type) -> [ValidationFinding] {
        do {
            try viewer(of: container(with: type)).validate()
            return []
        } catch { return error.findings.filter(\.isError) }
    }

    private func problems(of audited: AuditedDependency, _ result: ResolutionError?) -> [String] {
        var status = InjectedProperty.Status.registered
        if let result {
            let isMissing = result.reason == .notRegistered
            let isNamed =
                result.dependency.type == (any Leaf).self
                && [.namedOnly, .namedWithArguments, .inheritedNameWithArguments].contains(situation)
            status = !isMissing ? .argumentMismatch : isNamed ? .byNameOnly : .missing
            if isMissing, audited.required?.type != result.dependency.type {
                return ["expected \(result.dependency), but the audit requires \(audited.required?.type as Any)"]
            }
            if !isMissing, audited.status == .argumentMismatch {
                let expected = TypeNameFormatter(disambiguating: audited.expected).tuple(audited.expected)
                if !result.description.contains("takes \(expected),") {
                    return ["\(result), but the audit expects \(expected)"]
                }
            }
        }
        return audited.status == status ? [] : ["expected \(status), but the audit reports \(audited.status)"]
    }
}
