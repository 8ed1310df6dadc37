public import DependencyInjection

extension DIContainer {
    /// Finds all faults of declarations without building anything.
    ///
    /// ```swift
    /// for warning in try container.validate() { print(warning) }
    /// ```
    /// It knows the declarations of registrations: the parameters of autowired initializers and closures, aliases, arguments and
    /// lifetimes. The dependencies of expressions and other closures show only when these run. They are listed in
    /// ``/DependencyInjectionDiagnostics/DependencyGraph/opaque``.
    ///
    /// It assumes that a class registered for an alias is the class that is built. It reports one of several cycles that share a
    /// step.
    ///
    /// What the container declares with ``/DependencyInjection/Expected`` counts as there for what children build. A child that is
    /// validated has to register it, or to declare it again.
    ///
    /// May be called on any thread. It takes time in proportion to the number of registrations and, for each one that is shared,
    /// to the number of those that are built for it.
    /// - Parameter exceptions: The findings that are intended. They are neither thrown nor returned.
    /// - Returns: The warnings.
    /// - Throws: A ``DependencyInjection/DIContainer/ValidationError`` with everything found, if any of it is an error.
    @discardableResult
    public func validate(allowing exceptions: [AllowedFinding] = []) throws(ValidationError) -> [ValidationFinding] {
        try Self.warnings(in: graph.findings(), allowing: exceptions)
    }

    /// Returns the findings without the exceptions, or throws them if one of them is an error.
    static func warnings(
        in all: [ValidationFinding], allowing exceptions: [AllowedFinding]
    ) throws(ValidationError) -> [ValidationFinding] {
        let unintended = ValidationFinding.merged(
            all.filter { finding in !exceptions.contains { $0.covers(finding) } })
        let errors = unintended.filter { $0.isError }
        if errors.isEmpty { return unintended }
        throw ValidationError(findings: errors + unintended.filter { !$0.isError })
    }
}
