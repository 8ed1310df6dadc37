public import DependencyInjection

/// Runs an operation in a container of its own, which starts from a base and has these overrides. It is for XCTest.
///
/// ```swift
/// import DependencyInjection
/// import DependencyInjectionTesting
/// import XCTest
///
/// final class RouterTests: XCTestCase {
///     override func invokeTest() {
///         withDependencies { Shared(FakeRouter() as Router) } in: { super.invokeTest() }
///     }
///     func testRouter() async {
///         XCTAssert(DIContainer.resolve(Router.self) is FakeRouter)
///     }
/// }
/// ```
///
/// Each test of the class has a container of its own, which is the current one for the test, for its `setUp` and
/// `tearDown` and for all tasks that it makes, except detached ones. A superclass may do the same; its overrides come
/// on top, because they are made inside. ``DIContainer/shared`` stays as it is. With Swift Testing, use the trait
/// `.dependencies { … }` instead. May be called on any thread.
///
/// > Important: XCTest makes the instances of a class before it runs the first test. Wrapped properties of the class itself do
/// > not belong to the container of the test. Resolve in the test or in `setUp`.
///
/// - Parameters:
///   - base: The registrations to start from; defaults to ``DependencyBase/current``.
///   - overrides: What to register on top.
///   - operation: What to run. What it throws is thrown here.
/// - Returns: What the operation returns.
public func withDependencies<Result>(
    _ base: DependencyBase = .current, @RegistrationBuilder _ overrides: () -> [Registration],
    in operation: () throws -> Result
) rethrows -> Result {
    try base.run(overrides, operation)
}

/// Runs an asynchronous operation in a container of its own, which starts from a base and has these overrides.
///
/// The operation keeps the isolation of the caller.
public func withDependencies<Result>(
    _ base: DependencyBase = .current, @RegistrationBuilder _ overrides: () -> [Registration],
    isolation: isolated (any Actor)? = #isolation, in operation: () async throws -> Result
) async rethrows -> Result {
    try await base.run(overrides, isolation: isolation, operation)
}
