public import DependencyInjection
public import Testing

/// Checks every injected property in the program, and records an issue for each type that isn't registered or whose
/// factory takes other arguments.
///
/// ```swift
/// import DependencyInjection
/// import DependencyInjectionTesting
/// import Testing
///
/// @Test func everyInjectionIsRegistered() {
///     expectEveryInjectionIsRegistered(in: app, modules: ["App", "Search"], allowing: ["App.Screen.player"])
/// }
/// ```
///
/// ``InjectionAudit`` describes which properties are found.
///
/// - Properties whose types are registered by name only, or aren't known, record no issue.
/// - One issue lists all properties with the same missing type.
/// - Further issues are recorded if the program has no metadata, if a module in `modules` has no metadata or no
///   injected property, and if an exception isn't necessary.
///
/// Can be called on any thread.
///
/// - Parameters:
///   - container: The container to check, together with its parents.
///   - modules: The modules whose types are included, or `nil` for all. Name your own modules, because the test target
///     may contain such types.
///   - exceptions: The paths of properties whose types may be missing, such as `App.Screen.player`.
///   - isIncluded: Returns whether a property is included.
///   - sourceLocation: The source location of the issues. Defaults to the caller's location.
/// - Returns: The audit, for further expectations.
@discardableResult public func expectEveryInjectionIsRegistered(
    in container: DIContainer, modules: Set<String>? = nil, allowing exceptions: Set<String> = [],
    where isIncluded: (InjectedProperty) -> Bool = { _ in true }, sourceLocation: SourceLocation = #_sourceLocation
) -> InjectionAudit {
    func record(_ text: String) {
        Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
    }
    let audit = InjectionAudit.run(container, modules: modules, where: isIncluded)
    if audit.modules.isEmpty {
        record(
            """
            The program has no metadata, so that the audit finds no injected property.
              fix: compile it without `-disable-reflection-metadata`
            """)
    } else {
        for module in (modules ?? []).subtracting(audit.modules).sorted() {
            let fixes = [
                "correct the name of the module, link it into the tests, or remove it from `modules:` if it is empty",
                "compile it without `-disable-reflection-metadata`",
            ]
            record("The module \(module) has no metadata.\n  fix: \(fixes.alternatives)")
        }
        for module in (modules ?? []).intersection(audit.modules.subtracting(audit.modulesWithWrappers)).sorted() {
            let fixes = [
                "remove it from `modules:`, if its types receive their dependencies by initializers",
                "name the module that declares the properties",
            ]
            record(
                "The module \(module) has no injected property, so that the audit checks nothing in it.\n  fix: \(fixes.alternatives)"
            )
        }
    }
    let missing = audit.missing + audit.argumentMismatches
    for issue in InjectedProperty.issues(of: missing.filter { !exceptions.contains($0.path) }) { record(issue) }
    for exception in exceptions.subtracting(missing.map(\.path)).sorted() {
        record(
            """
            The exception \(exception) is not needed, because no such property lacks its type.
              fix: remove it from `allowing:`
            """)
    }
    return audit
}
