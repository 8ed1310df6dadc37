public import DependencyInjection

extension DIContainer {
    /// Validates the declarations of all registrations without building anything.
    ///
    /// ```swift
    /// for warning in try container.validate() { print(warning) }
    /// ```
    /// Validation checks what registrations declare: the parameters of autowired initializers and closures, aliases,
    /// arguments and lifetimes. The dependencies of expressions and other closures are only known when these run.
    /// ``/DependencyInjectionDiagnostics/DependencyGraph/uncheckedRegistrations`` lists such registrations.
    ///
    /// - A class registered for an alias is assumed to be the class of the instance.
    /// - If several cycles share a dependency, one of them is reported.
    /// - A type declared with ``/DependencyInjection/ProvidedByChild`` counts as available to registrations that
    ///   children build. A validated child has to register it or declare it again.
    ///
    /// Can be called on any thread. The cost is proportional to the number of registrations plus, for each shared
    /// registration, the number of registrations built for it.
    /// - Parameter exceptions: The intended findings, which are neither thrown nor returned.
    /// - Returns: The warnings.
    /// - Throws: A ``DependencyInjection/DIContainer/ValidationError`` with all findings, if one of them is an error.
    @discardableResult
    public func validate(allowing exceptions: [AllowedFinding] = []) throws(ValidationError) -> [ValidationFinding] {
        try Self.warnings(in: graph.findings(), allowing: exceptions)
    }

    /// Returns the findings that no exception covers, or throws them if one of them is an error.
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
