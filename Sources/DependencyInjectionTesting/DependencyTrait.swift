public import DependencyInjection
public import Testing

/// A trait that runs each case of a test in a container of its own: `@Test(.dependencies { … })`.
///
/// Create it with `.dependencies { … }`, `.dependencies(.empty) { … }` or `.dependencies(from: container) { … }`.
public struct DependencyTrait: TestTrait, SuiteTrait, TestScoping {
    private let base: DependencyBase
    private let overrides: @Sendable () -> [Registration]

    init(_ base: DependencyBase, _ overrides: @escaping @Sendable () -> [Registration]) {
        self.base = base
        self.overrides = overrides
    }

    /// Whether the trait of a suite also applies to the tests and suites inside it, which is always the case.
    public var isRecursive: Bool { true }

    /// Runs one case of a test with a new current container.
    ///
    /// Swift Testing calls this function for each case and each repetition. Afterwards, the container is closed, and an
    /// error in closing it is an issue of the test.
    @concurrent public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await base.runAndClose(overrides, function)
    }
}

extension Trait where Self == DependencyTrait {
    /// A trait that runs each case of a test in a container of its own, starting from ``DependencyBase/current``:
    /// `@Test(.dependencies)`.
    public static var dependencies: Self { dependencies() }

    /// Returns a trait that runs each case of a test in a container of its own, with a base and these overrides.
    ///
    /// ```swift
    /// import DependencyInjection
    /// import DependencyInjectionTesting
    /// import Testing
    ///
    /// @Suite(.dependencies { Shared(FakeRouter() as Router) })
    /// struct SearchTests {
    ///     @Inject var router: Router
    ///
    ///     @Test func opensResults() {
    ///         #expect(router is FakeRouter)
    ///     }
    ///     @Test(.dependencies { Shared(FileLogger() as Logger) }, arguments: ["swift", "ada"])
    ///     func logs(_ query: String) async {
    ///         #expect(DIContainer.resolve(Logger.self) is FileLogger)
    ///     }
    /// }
    /// ```
    ///
    /// Each case of a parameterized test and each repetition has a container of its own. It is the current container
    /// for the test, for the suite's stored properties and for all tasks that the test creates, except detached ones.
    /// So tests can run in parallel, and ``/DependencyInjection/DIContainer/shared`` doesn't change.
    ///
    /// The trait of a suite applies to all tests in it. If a test or an inner suite has another such trait, its
    /// overrides are added to the overrides of the suite. The arguments of a parameterized test are evaluated before
    /// its container exists.
    ///
    /// The closure runs for each case, on any thread, and may run on several threads concurrently. Its registrations
    /// are built when the test requests them. After the test, the container is closed, which runs the `onClose`
    /// handlers. A failed handler is an issue.
    ///
    /// - Parameters:
    ///   - base: The registrations to start from. Defaults to ``DependencyBase/current``.
    ///   - overrides: The registrations to add.
    public static func dependencies(
        _ base: DependencyBase = .current,
        @RegistrationBuilder _ overrides: @escaping @Sendable () -> [Registration] = { [] }
    ) -> Self {
        DependencyTrait(base, overrides)
    }

    /// Returns a trait that runs each case of a test in a container of its own, starting from another container's
    /// registrations.
    ///
    /// ```swift
    /// import DependencyInjection
    /// import DependencyInjectionTesting
    /// import Testing
    ///
    /// @Test(.dependencies(from: app) { Shared(FakeRouter() as Router) })
    /// func opensLinks() {
    ///     #expect(DIContainer.resolve(Router.self) is FakeRouter)
    /// }
    /// ```
    /// That container is neither used nor changed, and enclosing suites have no effect.
    ///
    /// - Parameters:
    ///   - container: The container whose registrations are copied.
    ///   - overrides: The registrations to add.
    public static func dependencies(
        from container: DIContainer, @RegistrationBuilder _ overrides: @escaping @Sendable () -> [Registration] = { [] }
    ) -> Self {
        DependencyTrait(.container(container), overrides)
    }
}
