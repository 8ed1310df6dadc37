/// Stands for registrations in a ``RegistrationBuilder``.
///
/// ``Shared``, ``New``, ``Weak``, ``Scoped``, ``Graph``, ``Decorate``, ``Expected`` and ``Module`` do, and arrays of one of them.
public protocol RegistrationConvertible {
    /// The registrations, in the order in which they are to be made.
    var registrations: [Registration] { get }
}

/// Gathers registrations and modules, with `if`, `else`, `switch`, `for`, `#available`, arrays and nested modules.
///
/// ```swift
/// DIContainer.register {
///     Shared(FileLogger() as Logger)
///     for region in regions { Shared(API(region), name: RegistrationName(region)) }
/// }
/// ```
@resultBuilder
public enum RegistrationBuilder {
    // No `buildExpression`: with it, a block of 500 statements takes a quarter longer to type-check.

    /// Joins the statements of a block.
    public static func buildBlock(_ components: any RegistrationConvertible...) -> [Registration] {
        components.count == 1 ? components[0].registrations : components.flatMap { $0.registrations }
    }

    /// Diagnoses the only statement of a block if it is no registration.
    ///
    /// (It takes the only statement of a block. If it took several, the compiler would report a wrong one at the brace,
    /// and not at its own line.)
    @available(
        *, unavailable,
        message:
            "a statement here is a registration, as in 'Shared(FileLogger())'; write a list of different ones as 'Module(list)'"
    )
    @_disfavoredOverload
    public static func buildBlock(_ component: Any) -> [Registration] { [] }

    /// Takes an `if` without `else`.
    public static func buildOptional(_ component: [Registration]?) -> [Registration] { component ?? [] }

    /// Takes the first branch of an `if` or `switch`.
    public static func buildEither(first component: [Registration]) -> [Registration] { component }

    /// Takes another branch of an `if` or `switch`.
    public static func buildEither(second component: [Registration]) -> [Registration] { component }

    /// Takes the rounds of a `for`.
    public static func buildArray(_ components: [[Registration]]) -> [Registration] { Array(components.joined()) }

    /// Takes what an `if #available` guards.
    public static func buildLimitedAvailability(_ component: [Registration]) -> [Registration] { component }
}

extension Registration: RegistrationConvertible {
    /// This registration alone.
    public var registrations: [Registration] { [self] }
}

extension Array: RegistrationConvertible where Element: RegistrationConvertible {
    /// The registrations of all elements.
    public var registrations: [Registration] {
        // Most arrays are the builder's own.
        if Element.self == Registration.self { return identityCast(self, to: [Registration].self) }
        return flatMap { $0.registrations }
    }
}
