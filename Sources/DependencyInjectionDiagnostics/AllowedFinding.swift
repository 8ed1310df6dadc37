public import DependencyInjection

/// Names findings that are intended: all of one kind or, called with a type and perhaps a name, those about one registration.
///
/// ```swift
/// let warnings = try container.validate(allowing: [
///     .replaced, .sharedKeepsScoped(Logger.self), .similarName(API.self, name: "staging"),
/// ])
/// ```
/// The type and the name are those of ``ValidationFinding/key``. An exception without a finding has no effect.
public struct AllowedFinding: Sendable {
    private let kind: ValidationFinding.Kind
    /// The key of the findings, or nil for all of the kind.
    private var key: Key?

    /// Allows all findings of a kind.
    public init(_ kind: ValidationFinding.Kind) { self.kind = kind }

    /// Allows what is about one type only: `.sharedKeepsScoped(Logger.self)`.
    public func callAsFunction<T>(_ type: T.Type, name: RegistrationName? = nil) -> AllowedFinding {
        var finding = self
        finding.key = Key(ObjectIdentifier(type), name)
        return finding
    }

    /// Whether it is this finding, or one of these.
    package func covers(_ finding: ValidationFinding) -> Bool {
        kind == finding.kind && (key == nil || key == finding.label.key)
    }

    /// Allows that a request will fail, for a reason.
    public static func error(_ reason: ResolutionError.Reason) -> AllowedFinding { AllowedFinding(.error(reason)) }
    /// Allows that a request for one type will fail, for a reason: `.error(.notRegistered, Logger.self)`.
    public static func error<T>(
        _ reason: ResolutionError.Reason, _ type: T.Type, name: RegistrationName? = nil
    ) -> AllowedFinding {
        error(reason)(type, name: name)
    }
    /// Allows that a factory takes too long while everything is built.
    public static var blockedFactory: AllowedFinding { AllowedFinding(.blockedFactory) }
    /// Allows that a `Shared` caches the first instance of the `Scoped` type that the finding is about.
    public static var sharedKeepsScoped: AllowedFinding { AllowedFinding(.sharedKeepsScoped) }
    /// Allows that a later registration replaces an earlier one.
    public static var replaced: AllowedFinding { AllowedFinding(.replaced) }
    /// Allows that an Optional is registered, which the finding is about: `.optionalRegistration(Logger?.self)`.
    public static var optionalRegistration: AllowedFinding { AllowedFinding(.optionalRegistration) }
    /// Allows that a function is registered, which the finding is about.
    public static var missingAutowiring: AllowedFinding { AllowedFinding(.missingAutowiring) }
    /// Allows a name that nobody asks for and that nearly matches one that is asked for.
    public static var similarName: AllowedFinding { AllowedFinding(.similarName) }
    /// Allows that a decorator decorates nothing.
    public static var unusedDecorator: AllowedFinding { AllowedFinding(.unusedDecorator) }
    /// Allows that an `onClose` fails with what was built.
    public static var failedOnClose: AllowedFinding { AllowedFinding(.failedOnClose) }
    /// Allows that a plain factory needs what only `await` builds, which the finding is about.
    public static var unpreparedNeed: AllowedFinding { AllowedFinding(.unpreparedNeed) }
    /// Allows that a registration is not built with the others.
    public static var unchecked: AllowedFinding { AllowedFinding(.unchecked) }
}
