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

    /// Starts from the registrations of the current container: that of an enclosing suite, or else ``DIContainer/shared``.
    public static let current = DependencyBase(kind: .current)

    /// Starts from nothing, so that a request for what the test did not register fails.
    public static let empty = DependencyBase(kind: .empty)

    /// Starts from the registrations of a container, which itself is neither used nor changed.
    public static func container(_ container: DIContainer) -> DependencyBase {
        DependencyBase(kind: .container(container))
    }

    /// Runs an operation in a new container that has the registrations of the base and the overrides.
    func run<Result>(
        _ overrides: () -> [Registration], _ operation: () throws -> Result
    ) rethrows -> Result {
        guard let container = container(overrides) else {
            return try DIContainer.withOverrides(overrides, operation: operation)
        }
        return try DIContainer.withContainer(container, operation: operation)
    }

    /// Runs an asynchronous operation in a new container that has the registrations of the base and the overrides.
    func run<Result>(
        _ overrides: () -> [Registration], isolation: isolated (any Actor)? = #isolation,
        _ operation: () async throws -> Result
    ) async rethrows -> Result {
        guard let container = container(overrides) else {
            return try await DIContainer.withOverrides(overrides, isolation: isolation, operation: operation)
        }
        return try await DIContainer.withContainer(container, isolation: isolation, operation: operation)
    }

    /// Makes the container; nil if only the library knows what to start from, because that is the current container.
    private func container(_ overrides: () -> [Registration]) -> DIContainer? {
        switch kind {
        case .current: nil
        case .empty: DIContainer(overrides)
        case .container(let container): container.fork(overrides)
        }
    }
}
