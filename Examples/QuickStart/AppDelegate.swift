import DependencyInjection

/// The delegate of the app, which registers its modules and then opens the given links.
final class AppDelegate {
    // These properties exist before any type is registered, so each resolves on first access.
    @LazyInject private var router: any Router
    @LazyInject private var logger: any Logger

    init() {
        DIContainer.register {
            Shared(ConsoleLogger() as any Logger)
            Shared { resolve in try AppConfiguration(fromBundle: .module, logger: resolve.orThrow()) }
            Shared(autowiring: AppRouter.init, as: (any Router).self)
            NotesFeature.module
            SettingsFeature.module
        }
    }

    /// Reads the configuration first, because only that can fail. Later requests can be plain.
    func launch() throws(ResolutionError) {
        let configuration = try DIContainer.resolve.orThrow(AppConfiguration.self)
        // The first logger logs every message, because the level is still unknown. The last registration wins, so this
        // line replaces that logger.
        DIContainer.register(
            Shared(ThresholdLogger(minimum: configuration.logLevel, base: ConsoleLogger()) as any Logger))
    }

    func openLinksFromStandardInput() -> Bool {
        logger.log(.info, "Reading links from standard input, one per line.")
        // Each line is opened when it arrives, instead of at the end of the input.
        return open(AnyIterator { readLine() })
    }

    /// Shows the destination of each link. Returns false if there was no link or if one of them failed.
    func open(_ links: some Sequence<String>) -> Bool {
        var opened = 0
        var failed = 0
        for link in links.lazy.map(\.trimmed) where !link.isEmpty {
            do {
                let viewModel = router.viewModel(for: try Deeplink(link))
                Terminal.show(try viewModel.text())
                opened += 1
            } catch {
                // An invalid link doesn't prevent the others from being opened.
                Terminal.showError("\(link): \(error)")
                failed += 1
            }
        }
        if opened + failed == 0 { Terminal.showError("There is no link to open.\n\n\(Deeplink.usage)") }
        return opened > 0 && failed == 0
    }
}
