public import DependencyInjection

extension DIContainer {
    /// Finds every fault that shows without building anything, all at once.
    ///
    /// ```swift
    /// for warning in try container.validate() { print(warning) }
    /// ```
    /// It knows what registrations declare: the parameters of autowired initializers, aliases, arguments and lifetimes.
    /// What a closure asks for shows only when it runs. It assumes that a class registered for an alias is the class
    /// that is built. Of cycles that share a step it reports one. May be called on any thread, and takes time in
    /// proportion to the number of registrations.
    /// - Returns: The warnings.
    /// - Throws: A ``DependencyInjection/DIContainer/ValidationError`` with everything found, if any of it is an error.
    @discardableResult
    public func validate() throws(ValidationError) -> [ValidationFinding] { try Self.warnings(in: graph.findings()) }

    /// The findings, if none of them is an error.
    static func warnings(in all: [ValidationFinding]) throws(ValidationError) -> [ValidationFinding] {
        let errors = all.filter { $0.isError }
        if errors.isEmpty { return all }
        throw ValidationError(findings: errors + all.filter { !$0.isError })
    }
}
