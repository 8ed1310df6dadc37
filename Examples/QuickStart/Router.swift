import DependencyInjection

/// Knows which view model a link leads to.
protocol Router: Sendable {
    func viewModel(for link: Deeplink) -> any ViewModel
}

/// What a screen shows.
protocol ViewModel {
    func text() throws -> String
}

struct AppRouter: Router {
    let logger: any Logger
    let makeSearch: Provider<SearchViewModel, String>

    func viewModel(for link: Deeplink) -> any ViewModel {
        logger.log(.info, "Opening \(link).")
        switch link {
        case .note(let id):
            // The short way: nothing to declare, but the need for the container shows only here.
            let viewModel: NoteViewModel = DIContainer.resolve(id)
            return viewModel
        case .search(let query):
            // The stricter way: the initializer shows the need, and its type says what must be passed.
            return makeSearch(query)
        case .settings:
            return DIContainer.resolve(SettingsViewModel.self)
        }
    }
}
