public import DependencyInjection

/// The registrations that a test's container has before the overrides: `.dependencies(.empty) { … }`.
///
/// A base is a value that any thread can create and any number of tests can use.
public struct DependencyBase: Sendable {
    private enum Kind {
        case current
        case empty
        case container(DIContainer)
    }

    private let kind: Kind
    private var isStrict = false
    /// The types under test, which a strict test doesn't override.
    private var tested: Set<ObjectIdentifier> = []

    private init(_ kind: Kind, isStrict: Bool = false, tested: Set<ObjectIdentifier> = []) {
        self.kind = kind
        self.isStrict = isStrict
        self.tested = tested
    }

    /// The registrations of the current container, which is the container of an enclosing suite or else
    /// ``/DependencyInjection/DIContainer/shared``.
    public static let current = DependencyBase(.current)

    /// No registrations, so that requests for types that the test doesn't register fail.
    public static let empty = DependencyBase(.empty)

    /// Returns a base with the registrations of a container, which itself is neither used nor changed.
    public static func container(_ container: DIContainer) -> DependencyBase { DependencyBase(.container(container)) }

    /// The registrations of ``current``. The test records an issue for each request that resolves to a registration it
    /// doesn't override.
    ///
    /// ```swift
    /// import DependencyInjection
    /// import DependencyInjectionTesting
    /// import Testing
    ///
    /// @Test(.dependencies(.strict) { Shared(FakeRouter() as Router) })
    /// func opensLinks() {
    ///     #expect(DIContainer.resolve(Router.self) is FakeRouter)
    /// }
    /// ```
    /// The request is still resolved, so the test continues. The issue names the registration, the requester and its
    /// path. It is recorded at the call site of the request, once for each call site. Overrides of enclosing suites
    /// count as overridden, and so do later registrations and decorators of the test's container. For an alias, the
    /// registration of its target counts.
    ///
    /// If no registration exists for a plain request, the program stops, because the test can't continue. Before that,
    /// an issue is recorded so that the output names the test. To continue instead, start from a container with
    /// stand-ins for the types that tests may forget: see ``strict(from:testing:)``.
    public static let strict = DependencyBase(.current, isStrict: true)

    /// Returns a base with the registrations of a container. The test records an issue for each request that resolves
    /// to a registration it doesn't override.
    ///
    /// ```swift
    /// import DependencyInjection
    /// import DependencyInjectionTesting
    /// import Testing
    ///
    /// let standIns = DIContainer {
    ///     Shared(FakeRouter() as Router)
    ///     Shared(MemoryStore() as Store)
    /// }
    ///
    /// @Test(.dependencies(.strict(from: standIns)) { Shared(FileStore() as Store) })
    /// func savesNotes() {
    ///     #expect(DIContainer.resolve(Store.self) is FileStore)
    /// }
    /// ```
    /// A test that forgets the router uses the stand-in and fails with an issue. Without the stand-in, the program
    /// would stop.
    ///
    /// - Parameters:
    ///   - container: The container whose registrations are copied.
    ///   - types: The types under test, which aren't overridden. Requests for them may resolve to the real
    ///     registration, with any name and through any alias. Their dependencies are checked.
    public static func strict<each Tested>(
        from container: DIContainer, testing types: repeat (each Tested).Type
    ) -> DependencyBase {
        DependencyBase(.container(container), isStrict: true, tested: identifiers(repeat each types))
    }

    /// Returns a strict base for a test of some types, with the registrations of ``current``.
    ///
    /// ```swift
    /// import DependencyInjection
    /// import DependencyInjectionTesting
    /// import Testing
    ///
    /// @Test(.dependencies(.strict(testing: Store.self)) { Shared(FakeRouter() as Router) })
    /// func opensStore() {
    ///     _ = DIContainer.resolve(Store.self)
    /// }
    /// ```
    /// Requests for these types may resolve to the real registration, with any name and through any alias. Their
    /// dependencies are checked.
    public static func strict<First, each Tested>(
        testing first: First.Type, _ types: repeat (each Tested).Type
    ) -> DependencyBase {
        DependencyBase(.current, isStrict: true, tested: identifiers(first, repeat each types))
    }

    private static func identifiers<each Tested>(_ types: repeat (each Tested).Type) -> Set<ObjectIdentifier> {
        var identifiers: Set<ObjectIdentifier> = []
        for type in repeat each types { identifiers.insert(ObjectIdentifier(type)) }
        return identifiers
    }

    /// Runs an operation in a new container with the registrations of the base and the overrides.
    func run<Result>(
        _ overrides: () -> [Registration], _ operation: () throws -> Result
    ) rethrows -> Result {
        let test = prepareTest(overrides())
        return try test.scope.run(in: test.container, operation)
    }

    /// Runs an asynchronous operation in a new container with the registrations of the base and the overrides, and
    /// then closes the container.
    ///
    /// - Parameter preparation: The call site for errors of the preparation. `nil` if only an enclosing scope may
    ///   request it.
    func run<Result>(
        _ overrides: () -> [Registration], preparation: CallSite? = nil,
        isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Result
    ) async rethrows -> Result {
        let test = prepareTest(overrides(), preparation: preparation)
        let result: Result
        do {
            result = try await test.scope.run(in: test.container, isolation: isolation, operation)
        } catch {
            await test.scope.close(test.container, dueTo: error)
            throw error
        }
        await test.scope.close(test.container)
        return result
    }

    private struct PreparedTest {
        let scope: TestScope
        let container: DIContainer
    }

    /// Creates the scope and the container of a test.
    private func prepareTest(_ overrides: [Registration], preparation: CallSite? = nil) -> PreparedTest {
        let outer: TestScope?
        let origin: DIContainer?
        switch kind {
        case .current: (outer, origin) = (TestScope.current, nil)
        case .empty: (outer, origin) = (nil, DIContainer())
        case .container(let given): (outer, origin) = (nil, given)
        }
        let enclosing = outer?.overrides ?? []
        let scope = TestScope(overrides: enclosing + overrides, preparation: preparation ?? outer?.preparation)
        var permitted = isStrict ? enclosing : []
        if !tested.isEmpty {
            // A type under test may be an alias, in which case its target is under test.
            let snapshots = (origin ?? DIContainer.current).snapshots
            permitted += snapshots.filter { tested.contains(ObjectIdentifier($0.registration.type)) }
                .flatMap { [$0.registration, $0.maker] + $0.decorators }
        }
        let exceptions = Set(permitted.map(ObjectIdentifier.init))
        let container = DIContainer(core: (origin ?? DIContainer.current).core.makeFork())
        // Later registrations belong to the test: see ``EventObserver/Interest/requests``.
        container.core.add(scope.observer(isStrict: isStrict, exceptions: exceptions))
        container.register { overrides }
        return PreparedTest(scope: scope, container: container)
    }
}
