public import DependencyInjection

/// Says which registrations the container of a test has before the overrides: `.dependencies(.empty) { … }`.
///
/// A base is a value. It may be made and used on any thread, by any number of tests.
public struct DependencyBase: Sendable {
    private enum Kind {
        case current
        case empty
        case container(DIContainer)
    }

    private let kind: Kind
    private var isStrict = false
    /// The types that a strict test tests, and so does not override.
    private var tested: Set<ObjectIdentifier> = []

    private init(_ kind: Kind, isStrict: Bool = false, tested: Set<ObjectIdentifier> = []) {
        self.kind = kind
        self.isStrict = isStrict
        self.tested = tested
    }

    /// Starts from the registrations of the current container: that of an enclosing suite, or else ``DIContainer/shared``.
    public static let current = DependencyBase(.current)

    /// Starts from nothing, so that a request for what the test did not register fails.
    public static let empty = DependencyBase(.empty)

    /// Starts from the registrations of a container, which itself is neither used nor changed.
    public static func container(_ container: DIContainer) -> DependencyBase { DependencyBase(.container(container)) }

    /// Starts as ``current`` does, and records an issue for each request that reaches what the test did not override.
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
    /// The request is answered all the same, so the test goes on. The issue names the registration, who asked and on
    /// which path, and is recorded where the request was made, once for each such place. What enclosing suites override
    /// counts as overridden, and so does what is registered or decorated in the container later. For an alias, the
    /// registration behind it counts.
    ///
    /// If nothing at all is registered for a plain request, the test cannot go on, and the program stops. An issue is
    /// recorded first, which tells which test it was. To go on, register stand-ins for what tests may forget, and start
    /// from these: see ``strict(from:)``.
    public static let strict = DependencyBase(.current, isStrict: true)

    /// Starts from a container, and records an issue for each request that reaches what the test did not override.
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
    /// A test that forgets the router uses the stand-in, and fails with an issue. Without one, the program would stop.
    ///
    /// - Parameters:
    ///   - container: The container whose registrations are copied.
    ///   - types: What the test tests, and so does not override: the real one is meant, under whatever name and alias. What it
    ///     asks for is checked.
    public static func strict<each Tested>(
        from container: DIContainer, testing types: repeat (each Tested).Type
    ) -> DependencyBase {
        DependencyBase(.container(container), isStrict: true, tested: identifiers(repeat each types))
    }

    /// Starts as ``strict`` does, for a test of some types.
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
    /// The real ones are meant, under whatever name and alias. What they ask for is checked.
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

    /// Runs an operation in a new container that has the registrations of the base and the overrides.
    func run<Result>(
        _ overrides: () -> [Registration], _ operation: () throws -> Result
    ) rethrows -> Result {
        let (scope, container) = prepare(overrides())
        return try scope.run(in: container, operation)
    }

    /// Runs an asynchronous operation in a new container that has the registrations of the base and the overrides.
    func run<Result>(
        _ overrides: () -> [Registration], isolation: isolated (any Actor)? = #isolation,
        _ operation: () async throws -> Result
    ) async rethrows -> Result {
        let (scope, container) = prepare(overrides())
        return try await scope.run(in: container, isolation: isolation, operation)
    }

    /// Runs a test in a new container that has the registrations of the base and the overrides, and closes it at the end.
    func runAndClose(_ overrides: () -> [Registration], _ test: () async throws -> Void) async throws {
        let (scope, container) = prepare(overrides())
        do { try await scope.run(in: container, isolation: #isolation, test) } catch {
            await scope.close(container, dueTo: error)
            throw error
        }
        await scope.close(container)
    }

    private func prepare(_ overrides: [Registration]) -> (TestScope, DIContainer) {
        let enclosing: [Registration]
        let origin: DIContainer?
        switch kind {
        case .current: (enclosing, origin) = (TestScope.current?.overrides ?? [], nil)
        case .empty: (enclosing, origin) = ([], DIContainer())
        case .container(let given): (enclosing, origin) = ([], given)
        }
        let scope = TestScope(overrides: enclosing + overrides)
        var meant = isStrict ? enclosing : []
        if !tested.isEmpty {
            // What is tested may be an alias, and then what it leads to is meant.
            let snapshots = (origin ?? DIContainer.current).snapshots
            meant += snapshots.filter { tested.contains(ObjectIdentifier($0.registration.type)) }
                .flatMap { [$0.registration, $0.maker] + $0.decorators }
        }
        let exceptions = Set(meant.map(ObjectIdentifier.init))
        let container = DIContainer.testFork(of: origin) {
            scope.observer(isStrict: isStrict, exceptions: exceptions)
        }
        container.register { overrides }
        return (scope, container)
    }
}
