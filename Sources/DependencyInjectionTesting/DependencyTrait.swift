public import DependencyInjection
public import Testing

/// Runs each case of a test in a container of its own: `@Test(.dependencies { … })`.
///
/// Make it with `.dependencies { … }`, `.dependencies(.empty) { … }` or `.dependencies(from: container) { … }`.
public struct DependencyTrait: TestTrait, SuiteTrait, TestScoping {
    private let base: DependencyBase
    private let overrides: @Sendable () -> [Registration]

    init(_ base: DependencyBase, _ overrides: @escaping @Sendable () -> [Registration]) {
        self.base = base
        self.overrides = overrides
    }

    /// Whether tests and suites inside a suite have the trait as well: they do.
    public var isRecursive: Bool { true }

    /// Runs one case of a test, with a new container as the current one.
    ///
    /// Swift Testing calls it, for each case and at each repetition. The container is closed at the end; what fails then is an
    /// issue of the test.
    @concurrent public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await base.runAndClose(overrides, function)
    }
}

extension Trait where Self == DependencyTrait {
    /// Gives each case of a test a container of its own, which starts from ``DependencyBase/current``: `@Test(.dependencies)`.
    public static var dependencies: Self { dependencies() }

    /// Gives each case of a test a container of its own, which starts from a base and has these overrides.
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
    /// Each case of a parameterized test and each repetition has a container of its own. It is the current one for the
    /// test, for the suite's stored properties and for all tasks that the test makes, except detached ones. So tests
    /// can run in parallel, and ``DIContainer/shared`` stays as it is. On a suite, the trait applies to all tests in
    /// it. If a test or an inner suite has the trait, too, its overrides come on top. The arguments of a parameterized
    /// test are evaluated before it has a container.
    ///
    /// The closure runs for each case, on any thread and on several at once. What it registers is built when the test asks for
    /// it. When the test has ended, the container is closed, with what it has opened. A failure is an issue.
    ///
    /// - Parameters:
    ///   - base: The registrations to start from; defaults to ``DependencyBase/current``.
    ///   - overrides: What to register on top.
    public static func dependencies(
        _ base: DependencyBase = .current,
        @RegistrationBuilder _ overrides: @escaping @Sendable () -> [Registration] = { [] }
    ) -> Self {
        DependencyTrait(base, overrides)
    }

    /// Gives each case of a test a container of its own, which starts from the registrations of another one.
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
    /// That container is neither used nor changed, and enclosing suites have no influence.
    ///
    /// - Parameters:
    ///   - container: The container whose registrations are copied.
    ///   - overrides: What to register on top.
    public static func dependencies(
        from container: DIContainer, @RegistrationBuilder _ overrides: @escaping @Sendable () -> [Registration] = { [] }
    ) -> Self {
        DependencyTrait(.container(container), overrides)
    }
}
