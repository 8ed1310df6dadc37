import DependencyInjection

/// A mapping from links to view models.
protocol Router: Sendable {
    func viewModel(for link: Deeplink) -> any ViewModel
}

/// The content of a screen.
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
            // The short way: nothing has to be declared, but the dependency on the container only shows here.
            let viewModel: NoteViewModel = DIContainer.resolve(id)
            return viewModel
        case .search(let query):
            // The stricter way: the initializer shows the dependency, and its type shows the arguments to pass.
            return makeSearch(query)
        case .settings:
            return DIContainer.resolve(SettingsViewModel.self)
        }
    }
}
