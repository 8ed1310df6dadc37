/// A group of registrations, so that a feature can provide all of its registrations as one value.
///
/// ```swift
/// enum SearchFeature {
///     static let module = Module("Search") {
///         Shared(autowiring: SearchService.init, as: Search.self)
///         New { resolve, query in SearchViewModel(query: query, search: resolve()) }
///     }
/// }
/// DIContainer.register { SearchFeature.module }
/// ```
///
/// Modules nest and mix with registrations in one builder. A single registration or a list needs no braces:
///
/// ```swift
/// let logging = Module(Shared(FileLogger() as Logger))
/// let extras: [any RegistrationConvertible] = [Shared(ConsoleLogger() as Logger, name: "console"), logging]
/// DIContainer.register { Module(extras) }
/// ```
///
/// A module holds no instances. It can be registered in any number of containers, on any thread.
public struct Module: RegistrationConvertible, Sendable, CustomStringConvertible {
    /// The name of the module, which errors show.
    public let name: String?
    /// The registrations in order. The registrations of a nested module are in the place of that module.
    public let registrations: [Registration]

    /// Creates a module from the registrations in a builder. A registration that is already in a named module remains
    /// in that module.
    public init(_ name: String? = nil, @RegistrationBuilder _ registrations: () -> [Registration]) {
        self.name = name
        self.registrations = registrations().map { $0.inModule(name) }
    }

    /// Creates a module from registrations and other modules.
    public init(_ contents: any RegistrationConvertible..., name: String? = nil) {
        self.init(name) { for each in contents { each.registrations } }
    }

    /// Creates a module from one or more lists of registrations and modules.
    // With one list and without a name, this overload would match a builder better than the builder itself. For a mistake
    // in a builder, the compiler would then report that a list isn't a closure.
    @_disfavoredOverload public init(_ contents: [any RegistrationConvertible]..., name: String? = nil) {
        self.init(name) { for list in contents { for each in list { each.registrations } } }
    }

    /// The name and the number of registrations.
    public var description: String {
        "Module(" + (name.map { "\($0.debugDescription), " } ?? "") + "registrations: \(registrations.count))"
    }
}

extension Registration: RegistrationConvertible {
    /// An array of this registration.
    public var registrations: [Registration] { [self] }
}

extension Array: RegistrationConvertible where Element: RegistrationConvertible {
    /// The registrations of all elements.
    @_documentation(visibility: internal)
    public var registrations: [Registration] {
        // Most arrays are created by the builder.
        if Element.self == Registration.self { return identityCast(self, to: [Registration].self) }
        return flatMap { $0.registrations }
    }
}
