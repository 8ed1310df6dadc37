/// Groups registrations, so that a feature can hand over all it needs at once.
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
/// Modules nest, and stand beside registrations in one builder. A single registration needs no braces, and neither does a list:
///
/// ```swift
/// let logging = Module(Shared(FileLogger() as Logger))
/// let extras: [any RegistrationConvertible] = [Shared(ConsoleLogger() as Logger, name: "console"), logging]
/// DIContainer.register { Module(extras) }
/// ```
///
/// A module holds no instances: it may be registered in any number of containers, on any thread.
public struct Module: RegistrationConvertible, Sendable, CustomStringConvertible {
    /// The name that the module was given, which errors show.
    public let name: String?
    /// The registrations, those of nested modules in their place.
    public let registrations: [Registration]

    /// Makes a module of what the builder lists. A registration that is already in a named module stays in that one.
    public init(_ name: String? = nil, @RegistrationBuilder _ registrations: () -> [Registration]) {
        self.name = name
        let module = name.map { Box($0) }
        self.registrations = registrations().map { $0.inModule(module) }
    }

    /// Makes a module of registrations and other modules.
    public init(_ contents: any RegistrationConvertible...) {
        self.init(contents)
    }

    /// Makes a module of a list.
    public init(_ contents: [any RegistrationConvertible]) {
        name = nil
        registrations = contents.flatMap { $0.registrations }
    }

    /// The name and the number of registrations.
    public var description: String {
        "Module(" + (name.map { "\($0.debugDescription), " } ?? "") + "registrations: \(registrations.count))"
    }
}
