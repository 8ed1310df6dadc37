public import DependencyInjection

/// Tells ``DependencyInjection/DIContainer/validate(_:allowing:)`` how to build what is registered: `.building`, or that with details.
public struct BuildingValidation: Sendable {
    /// Returns the arguments for a registration whose factory takes some, or nil.
    public typealias Arguments = @Sendable (RegistrationInfo) -> [any Sendable]?

    let limit: Duration
    let includesMainActor: Bool
    let arguments: Arguments

    /// Builds what takes no arguments and does not belong to the main actor.
    public static var building: BuildingValidation { building() }

    /// Builds everything for which there are arguments.
    /// - Parameters:
    ///   - limit: How long building one registration may take.
    ///   - includesMainActor: Whether to build what belongs to the main actor, too. A plain fault there stops the program.
    ///   - arguments: Returns the arguments for a registration whose factory takes some; nil leaves it unchecked.
    public static func building(
        within limit: Duration = .seconds(5), includingMainActor includesMainActor: Bool = false,
        arguments: @escaping Arguments = { _ in nil }
    ) -> BuildingValidation {
        BuildingValidation(limit: limit, includesMainActor: includesMainActor, arguments: arguments)
    }
}

extension DIContainer {
    /// Finds every fault that shows without building anything, and those that show when everything is built once.
    ///
    /// ```swift
    /// try await container.validate(.building { $0.type == DetailViewModel.self ? [42] : nil })
    /// ```
    /// It builds one registration after the other, beginning with those that are awaited, each of which it builds at most
    /// once. It does so in a copy of the container and its parents, whose own instances stay as they are, and closes that copy at
    /// the end, so that each `onClose` runs about what was opened. One that fails is an error. A registration
    /// that is not built, for want of arguments or of the main actor, is a warning. May be called in any task; if the
    /// task is cancelled, it goes on to the end.
    ///
    /// > Important: This is for tests. Swift cannot unwind a plain factory that asks plainly for what is missing, or that
    /// > blocks. The thread that runs it is given up for good, with the copy, which is not closed then, and with every lock
    /// > that the thread holds. Another copy takes the rest, and what was awaited. After a hundred of these, the report says
    /// > that it stopped looking. What needs a factory that blocks waits as long again, and is reported, too. An asynchronous
    /// > factory runs on the threads of all tasks, and one of the main actor on the main thread. If one of these, or a task
    /// > that a factory begins itself, asks plainly for what is missing, the program stops, with a text that begins with what
    /// > was being validated. An `onClose` has no limit of time; `close()` tells of one that takes long.
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
