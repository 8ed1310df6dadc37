/// A value that provides registrations to a ``RegistrationBuilder``.
///
/// The conforming types are ``Shared``, ``New``, ``Weak``, ``Scoped``, ``Graph``, ``Decorate``, ``ProvidedByChild``,
/// ``Module``, and arrays of one of them.
public protocol RegistrationConvertible {
    /// The registrations, in the order in which they are registered.
    var registrations: [Registration] { get }
}

/// A result builder for registrations and modules, with `if`, `else`, `switch`, `for`, `#available`, arrays and nested
/// modules.
///
/// ```swift
/// DIContainer.register {
///     Shared(FileLogger() as Logger)
///     for region in regions { Shared(API(region), name: RegistrationName(region)) }
/// }
/// ```
@resultBuilder
public enum RegistrationBuilder {
    // There is no `buildExpression`, because it makes a block of 500 statements take 25 percent longer to type-check.

    /// Returns the registrations of all statements of a block.
    public static func buildBlock(_ components: any RegistrationConvertible...) -> [Registration] {
        components.count == 1 ? components[0].registrations : components.flatMap { $0.registrations }
    }

    /// Returns the registrations of an `if` without `else`.
    public static func buildOptional(_ component: [Registration]?) -> [Registration] { component ?? [] }

    /// Returns the registrations of the first branch of an `if` or `switch`.
    public static func buildEither(first component: [Registration]) -> [Registration] { component }

    /// Returns the registrations of another branch of an `if` or `switch`.
    public static func buildEither(second component: [Registration]) -> [Registration] { component }

    /// Returns the registrations of all iterations of a `for` loop.
    public static func buildArray(_ components: [[Registration]]) -> [Registration] { components.flatMap { $0 } }

    /// Returns the registrations of an `if #available` block.
    public static func buildLimitedAvailability(_ component: [Registration]) -> [Registration] { component }
}
