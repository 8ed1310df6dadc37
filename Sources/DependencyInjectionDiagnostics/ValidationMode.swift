public import DependencyInjection

/// A mode of validation that builds all registrations, with its options: see
/// ``DependencyInjection/DIContainer/validate(_:allowing:)``.
public struct ValidationMode: Sendable {
    /// Returns the arguments for a registration whose factory takes arguments, or `nil` to leave it unchecked.
    public typealias Arguments = @Sendable (RegistrationInfo) -> [any Sendable]?

    let limit: Duration
    let includesMainActor: Bool
    let arguments: Arguments

    /// Builds all registrations that take no arguments and aren't isolated to the main actor.
    public static var building: ValidationMode { building() }

    /// Builds all registrations whose arguments are available.
    /// - Parameters:
    ///   - limit: The maximum time for building one registration.
    ///   - includesMainActor: Whether to build the registrations isolated to the main actor. A failed plain request in
    ///     one of them stops the program.
    ///   - arguments: Returns the arguments for a registration whose factory takes arguments, or `nil` to leave it
    ///     unchecked.
    public static func building(
        within limit: Duration = .seconds(5), includingMainActor includesMainActor: Bool = false,
        arguments: @escaping Arguments = { _ in nil }
    ) -> ValidationMode {
        ValidationMode(limit: limit, includesMainActor: includesMainActor, arguments: arguments)
    }
}

extension DIContainer {
    /// Validates the declarations, then builds every registration once and reports the failures.
    ///
    /// ```swift
    /// try await container.validate(.building { $0.type == DetailViewModel.self ? [42] : nil })
    /// ```
    /// Builds one registration after the other in a copy of the container and its parents. Asynchronous registrations
    /// come first, and each of their factories runs at most once. The instances of the container itself don't change.
    /// At the end, the copy is closed, which runs every `onClose` handler. A failed handler is an error. One warning
    /// lists the registrations whose arguments are missing, and another one lists those isolated to the main actor. Can
    /// be called in any task. If the task is canceled, validation still runs to the end.
    ///
    /// > Important: Use this in tests only. A plain factory can't be unwound when its plain request fails or when it
    /// > blocks:
    /// >
    /// > - Its thread, its copy of the container and all locks that the thread holds are abandoned, and that copy is
    /// > never closed. Another copy takes over the remaining registrations and the instances of asynchronous factories.
    /// > - After a hundred abandoned copies, validation ends with a finding about the remaining registrations.
    /// > - A registration that depends on a blocked factory also waits until the time limit, and is reported.
    /// > - Asynchronous factories run in the shared thread pool, and factories of the main actor on the main thread. If
    /// > a plain request fails in one of these, or in a task that a factory starts, the program stops. The message
    /// > begins with the validated registration.
    /// > - `onClose` handlers have no time limit.
    /// - Parameters:
    ///   - mode: The mode, such as `.building`.
    ///   - exceptions: The intended findings, which are neither thrown nor returned.
    /// - Returns: The warnings.
    /// - Throws: A ``DependencyInjection/DIContainer/ValidationError`` with all findings, if one of them is an error.
    @discardableResult
    public func validate(
        _ mode: ValidationMode, allowing exceptions: [AllowedFinding] = []
    ) async throws(ValidationError) -> [ValidationFinding] {
        let graph = graph
        var validator = BuildValidator(
            container: self, mode: mode, graph: graph, findings: graph.findings(), copy: ContainerCopy(of: self))
        await validator.run()
        return try Self.warnings(in: validator.findings, allowing: exceptions)
    }
}
