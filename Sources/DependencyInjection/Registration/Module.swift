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
    /// The registrations in order. Nested modules contribute theirs in place.
    public let registrations: [Registration]

    /// Creates a module from the registrations in a builder. A registration that is already in a named module remains
    /// in that module.
    public init(_ name: String? = nil, @RegistrationBuilder _ registrations: () -> [Registration]) {
        self.name = name
        let module = name.map { Box($0) }
        self.registrations = registrations().map { $0.inModule(module) }
    }

    /// Creates a module from registrations and other modules.
    public init(_ contents: any RegistrationConvertible...) {
        self.init(contents)
    }

    /// Creates a module from a list of registrations and modules.
    public init(_ contents: [any RegistrationConvertible]) {
        name = nil
        registrations = contents.flatMap { $0.registrations }
    }

    /// The name and the number of registrations.
    public var description: String {
        "Module(" + (name.map { "\($0.debugDescription), " } ?? "") + "registrations: \(registrations.count))"
    }
}
