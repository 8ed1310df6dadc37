public import DependencyInjection

/// An exception that excludes intended findings from validation: all findings of one kind, or the findings about one
/// registration.
///
/// ```swift
/// let warnings = try container.validate(allowing: [
///     .replaced, .captiveDependency(Logger.self), .similarName(API.self, name: "staging"),
/// ])
/// ```
/// The type and the name must be equal to ``ValidationFinding/key``. An exception without a matching finding has no
/// effect.
public struct AllowedFinding: Sendable {
    private let kind: ValidationFinding.Kind
    /// The key of the findings. `nil` matches all findings of the kind.
    private var key: Key?

    /// Creates an exception for all findings of a kind.
    public init(_ kind: ValidationFinding.Kind) { self.kind = kind }

    /// Returns an exception for the findings about one type and name: `.captiveDependency(Logger.self)`.
    public func callAsFunction<T>(_ type: T.Type, name: RegistrationName? = nil) -> AllowedFinding {
        var finding = self
        finding.key = Key(ObjectIdentifier(type), name)
        return finding
    }

    /// Whether the exception covers a finding.
    package func covers(_ finding: ValidationFinding) -> Bool {
        kind == finding.kind && (key == nil || key == finding.id.key)
    }

    /// Returns an exception for requests that fail for a reason.
    public static func error(_ reason: ResolutionError.Reason) -> AllowedFinding { AllowedFinding(.error(reason)) }
    /// Returns an exception for requests of one type that fail for a reason: `.error(.notRegistered, Logger.self)`.
    public static func error<T>(
        _ reason: ResolutionError.Reason, _ type: T.Type, name: RegistrationName? = nil
    ) -> AllowedFinding {
        error(reason)(type, name: name)
    }
    /// An exception for factories that exceed the time limit when the container is validated by building.
    public static var blockedFactory: AllowedFinding { AllowedFinding(.blockedFactory) }
    /// An exception for `Shared` instances that cache the first instance of the finding's `Scoped` type.
    public static var captiveDependency: AllowedFinding { AllowedFinding(.captiveDependency) }
    /// An exception for registrations that replace an earlier one.
    public static var replaced: AllowedFinding { AllowedFinding(.replaced) }
    /// An exception for registrations of the finding's Optional type: `.optionalRegistration(Logger?.self)`.
    public static var optionalRegistration: AllowedFinding { AllowedFinding(.optionalRegistration) }
    /// An exception for registrations of the finding's function type.
    public static var missingAutowiring: AllowedFinding { AllowedFinding(.missingAutowiring) }
    /// An exception for names that are never requested but nearly match a requested one.
    public static var similarName: AllowedFinding { AllowedFinding(.similarName) }
    /// An exception for decorators whose type isn't registered.
    public static var unusedDecorator: AllowedFinding { AllowedFinding(.unusedDecorator) }
    /// An exception for `onClose` handlers that fail when the validated copy is closed.
    public static var failedOnClose: AllowedFinding { AllowedFinding(.failedOnClose) }
    /// An exception for plain factories that need the finding's asynchronous type before it has been prepared.
    public static var unpreparedDependency: AllowedFinding { AllowedFinding(.unpreparedDependency) }
    /// An exception for registrations that validation didn't build.
    public static var unchecked: AllowedFinding { AllowedFinding(.unchecked) }
}
