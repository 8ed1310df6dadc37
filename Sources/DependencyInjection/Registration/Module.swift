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
/// Modules nest, and stand beside registrations in one builder. A module holds no instances: it may be registered in any
/// number of containers, on any thread.
public struct Module: RegistrationConvertible, Sendable {
    /// The name that the module was given, for people.
    public let name: String?
    /// The registrations, those of nested modules in their place.
    public let registrations: [Registration]

    /// Makes a module of what the builder lists.
    public init(_ name: String? = nil, @RegistrationBuilder _ registrations: () -> [Registration]) {
        self.name = name
        self.registrations = registrations()
    }
}
