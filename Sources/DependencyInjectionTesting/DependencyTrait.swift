public import DependencyInjection
public import Testing

/// A trait that runs each case of a test in a container of its own: `@Test(.dependencies { … })`.
///
/// Create it with `.dependencies { … }`, `.dependencies(.empty) { … }` or `.dependencies(from: container) { … }`.
public struct DependencyTrait: TestTrait, SuiteTrait, TestScoping {
    private let base: DependencyBase
    private let overrides: @Sendable () -> [Registration]
    /// The call site of the trait, if it prepares the container.
    private let preparation: CallSite?
    private let identity = Identity()

    private final class Identity: Sendable {}

    init(
        _ base: DependencyBase, preparation: CallSite?, _ overrides: @escaping @Sendable () -> [Registration]
    ) {
        self.base = base
        self.preparation = preparation
        self.overrides = overrides
    }

    /// Whether the trait of a suite also applies to the tests and suites inside it, which is always the case.
    public var isRecursive: Bool { true }

    /// Runs one case of a test with a new current container.
    ///
    /// Swift Testing calls this function for each case and each repetition. If the trait prepares the container and a
    /// build fails, the error is an issue of the test, which doesn't run. Afterwards, the container is closed, and an
    /// error in closing it is an issue of the test.
    @concurrent public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await base.run(overrides, preparation: preparation) {
            if isLast(of: test), let site = TestScope.current?.preparation {
                try await DIContainer.current.prepare(file: site.file, line: site.line)
            }
            try await function()
        }
    }

    /// Whether no other trait gives the test a container inside the container of this one.
    private func isLast(of test: Test) -> Bool {
        let traits = test.traits.compactMap { $0 as? DependencyTrait }
        guard let index = traits.lastIndex(where: { $0.identity === identity }) else { return true }
        return index == traits.count - 1
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
    /// If the trait is `prepared`, each test first awaits ``/DependencyInjection/DIContainer/prepare(_:file:line:)``, so
    /// that stored properties of asynchronous types work. If a build fails, the test doesn't run, and the
    /// ``/DependencyInjection/PreparationError`` is its issue. The overrides of a test in a prepared suite are prepared,
    /// too, unless the test copies another container.
    ///
    /// - Parameters:
    ///   - base: The registrations to start from. Defaults to ``DependencyBase/current``.
    ///   - isPrepared: Whether asynchronous registrations are built before the test. Defaults to `false`.
    ///   - file: The file reported in errors. Defaults to the caller's file.
    ///   - line: The line reported in errors. Defaults to the caller's line.
    ///   - overrides: The registrations to add.
    public static func dependencies(
        _ base: DependencyBase = .current, prepared isPrepared: Bool = false, file: StaticString = #fileID,
        line: UInt = #line, @RegistrationBuilder _ overrides: @escaping @Sendable () -> [Registration] = { [] }
    ) -> Self {
        DependencyTrait(base, preparation: isPrepared ? CallSite(file: file, line: line) : nil, overrides)
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
    ///   - isPrepared: Whether asynchronous registrations are built before the test. Defaults to `false`.
    ///   - file: The file reported in errors. Defaults to the caller's file.
    ///   - line: The line reported in errors. Defaults to the caller's line.
    ///   - overrides: The registrations to add.
    public static func dependencies(
        from container: DIContainer, prepared isPrepared: Bool = false, file: StaticString = #fileID,
        line: UInt = #line, @RegistrationBuilder _ overrides: @escaping @Sendable () -> [Registration] = { [] }
    ) -> Self {
        dependencies(.container(container), prepared: isPrepared, file: file, line: line, overrides)
    }
}
