import DependencyInjection

/// Registers what the app is made of, then opens the links that it is given.
final class AppDelegate {
    // These exist before anything is registered: each resolves when it is first read.
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

    /// Reads the configuration before anything else, since that alone can fail: what is resolved later may be asked for
    /// plainly.
    func launch() throws(ResolutionError) {
        let configuration = try DIContainer.resolve.orThrow(AppConfiguration.self)
        // Until here everything was logged, as the level was unknown. The last registration wins, so this replaces the logger.
        DIContainer.register(
            Shared(ThresholdLogger(minimum: configuration.logLevel, base: ConsoleLogger()) as any Logger))
    }

    func openLinksFromStandardInput() -> Bool {
        logger.log(.info, "Reading links from standard input, one per line.")
        // Each line is opened as it arrives, not at the end of the input.
        return open(AnyIterator { readLine() })
    }

    /// Shows what each link leads to; false if there was none or any of them failed.
    func open(_ links: some Sequence<String>) -> Bool {
        var opened = 0
        var failed = 0
        for link in links.lazy.map(\.trimmed) where !link.isEmpty {
            do {
                let viewModel = router.viewModel(for: try Deeplink(link))
                Terminal.show(try viewModel.text())
                opened += 1
            } catch {
                // One bad link does not keep the others from being opened.
                Terminal.complain("\(link): \(error)")
                failed += 1
            }
        }
        if opened + failed == 0 { Terminal.complain("There is no link to open.\n\n\(Deeplink.usage)") }
        return opened > 0 && failed == 0
    }
}
