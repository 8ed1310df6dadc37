public import DependencyInjection

/// Runs an operation in a container of its own, with a base and these overrides. Intended for XCTest.
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
///     override func tearDown() async throws { try await DIContainer.current.close() }
///
///     func testRouter() async {
///         XCTAssert(DIContainer.resolve(Router.self) is FakeRouter)
///     }
/// }
/// ```
///
/// Each test of the class has a container of its own. It is the current container for the test, for `setUp` and
/// `tearDown`, and for all tasks that the test creates, except detached ones. A superclass may do the same. Its
/// overrides take precedence, because they are registered in the inner scope.
/// ``/DependencyInjection/DIContainer/shared`` doesn't change. With Swift Testing, use the trait `.dependencies { … }`
/// instead. Can be called on any thread.
///
/// A synchronous operation can't close the container. If a test builds an instance with an `onClose` handler, such as a
/// client whose `deinit` requires that it was shut down, close the container in `tearDown`, as above.
///
/// > Important: XCTest creates all instances of a class before it runs the first test. So wrapped properties of the
/// > test class don't belong to the test's container. Resolve in the test or in `setUp`.
///
/// - Parameters:
///   - base: The registrations to start from. Defaults to ``DependencyBase/current``.
///   - overrides: The registrations to add.
///   - operation: The operation to run. Its errors are rethrown.
/// - Returns: The result of the operation.
public func withDependencies<Result>(
    _ base: DependencyBase = .current, @RegistrationBuilder _ overrides: () -> [Registration],
    in operation: () throws -> Result
) rethrows -> Result {
    try base.run(overrides, operation)
}

/// Runs an asynchronous operation in a container of its own, with a base and these overrides, and closes the container.
///
/// The operation runs in the caller's isolation. Afterwards, the container is closed, which runs the `onClose` handlers.
/// A failed handler is an issue of the test. An error of the operation is passed to each handler that accepts one.
public func withDependencies<Result>(
    _ base: DependencyBase = .current, @RegistrationBuilder _ overrides: () -> [Registration],
    isolation: isolated (any Actor)? = #isolation, in operation: () async throws -> Result
) async rethrows -> Result {
    try await base.run(overrides, isolation: isolation, operation)
}
