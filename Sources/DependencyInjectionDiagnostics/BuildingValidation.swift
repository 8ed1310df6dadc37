public import DependencyInjection

/// The way in which ``DependencyInjection/DIContainer/validate(_:allowing:)`` builds all registrations: `.building`, perhaps with details.
public struct BuildingValidation: Sendable {
    /// Returns the arguments for a registration whose factory takes some, or nil.
    public typealias Arguments = @Sendable (RegistrationInfo) -> [any Sendable]?

    let limit: Duration
    let includesMainActor: Bool
    let arguments: Arguments

    /// Builds the registrations without arguments that are not isolated to the main actor.
    public static var building: BuildingValidation { building() }

    /// Builds all registrations for which there are arguments.
    /// - Parameters:
    ///   - limit: How long building one registration may take.
    ///   - includesMainActor: Whether to build the registrations of the main actor. A plain fault in one of them stops the program.
    ///   - arguments: Returns the arguments for a registration whose factory takes some, or nil to leave it unchecked.
    public static func building(
        within limit: Duration = .seconds(5), includingMainActor includesMainActor: Bool = false,
        arguments: @escaping Arguments = { _ in nil }
    ) -> BuildingValidation {
        BuildingValidation(limit: limit, includesMainActor: includesMainActor, arguments: arguments)
    }
}

extension DIContainer {
    /// Finds all faults that validation finds without building anything, and those that show when everything is built once.
    ///
    /// ```swift
    /// try await container.validate(.building { $0.type == DetailViewModel.self ? [42] : nil })
    /// ```
    /// It builds one registration after the other in a copy of the container and its parents, asynchronous ones first and each of
    /// these at most once. The instances of the container itself stay as they are. At the end, it closes the copy, which runs each
    /// `onClose`. A failed `onClose` is an error. One warning lists the registrations that lack arguments, and another one those
    /// of the main actor. May be called in any task. If the task is canceled, validation still runs to the end.
    ///
    /// > Important: This is for tests. Swift cannot unwind a plain factory that requests a missing type plainly, or that blocks. Its
    /// > thread is abandoned with the copy, which is never closed, and with every lock that the thread holds. Another copy takes
    /// > over the remaining registrations and the awaited instances. After a hundred such faults, the report ends with a finding
    /// > about the remaining registrations. A registration that depends on a blocked factory waits as long again, and is reported.
    /// > An asynchronous factory runs on the threads of all tasks, and a factory of the main actor on the main thread. If one of
    /// > these, or a task that a factory starts, requests a missing type plainly, the program stops, and the text begins with the
    /// > validated registration. An `onClose` has no limit of time.
    /// - Parameters:
    ///   - mode: How to build: `.building`, or that with details.
    ///   - exceptions: The findings that are intended. They are neither thrown nor returned.
    /// - Returns: The warnings.
    /// - Throws: A ``DependencyInjection/DIContainer/ValidationError`` with everything found, if any of it is an error.
    @discardableResult
    public func validate(
        _ mode: BuildingValidation, allowing exceptions: [AllowedFinding] = []
    ) async throws(ValidationError) -> [ValidationFinding] {
        let graph = graph
        var search = BuildingSearch(
            container: self, mode: mode, graph: graph, findings: graph.findings(), copy: copiedTree())
        await search.run()
        return try Self.warnings(in: search.findings, allowing: exceptions)
    }
}
