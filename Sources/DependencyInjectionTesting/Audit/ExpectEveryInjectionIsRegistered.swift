public import DependencyInjection
public import Testing

/// Records an issue for each injected property in the program whose type is not registered, or with other arguments.
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
/// It finds the properties as ``InjectionAudit`` describes. Those whose types are registered by name only, or not
/// known, record nothing. So that it cannot pass because it has seen nothing, it also records an issue if it finds no
/// metadata at all or none of a module that is named here, and if an exception is not needed. A module without injected
/// properties passes. May be called on any thread.
///
/// - Parameters:
///   - container: The container to ask, with its parents.
///   - modules: The modules whose types count; nil for all. Name your own, since the test target may have types that need a test.
///   - exceptions: The paths of properties that may be missing, such as `App.Screen.player`.
///   - isIncluded: Tells for each property whether it counts.
///   - sourceLocation: Where the issues are recorded; defaults to the caller's place.
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
            "The program has no metadata, so that no injected property can be seen.\n  fix: compile it without "
                + "`-disable-reflection-metadata`.")
    } else {
        for module in (modules ?? []).subtracting(audit.modules).sorted() {
            record(
                "The module \(module) has no metadata.\n  fix: correct its name, link it into the tests, or compile it "
                    + "without `-disable-reflection-metadata`; leave it out if it declares neither types nor protocols."
            )
        }
    }
    let missing = audit.missing + audit.misfits
    for property in missing where !exceptions.contains(property.path) { record(property.issue) }
    for exception in exceptions.subtracting(missing.map(\.path)).sorted() {
        record(
            "The exception \(exception) is not needed: such a property has what it needs, or is none.\n  fix: remove it from `allowing:`."
        )
    }
    return audit
}
