import Configuration
import Logging
import ServiceLifecycle
import SystemPackage

/// The file of the settings, which the package `swift-configuration` reads again after a change or a SIGHUP.
struct SettingsFile: Service {
    private let provider: ReloadingFileProvider<JSONSnapshot>
    private let logger: Logger
    private let apply: @Sendable (Settings) -> Void

    /// Opens the file, which must exist.
    /// - Parameters:
    ///   - path: A JSON file.
    ///   - logger: The logger for changes, and for a file that became invalid.
    ///   - apply: Replaces the settings of the server.
    init(_ path: String, logger: Logger, apply: @escaping @Sendable (Settings) -> Void) async throws {
        provider = try await ReloadingFileProvider(filePath: FilePath(path), logger: logger)
        self.logger = logger
        self.apply = apply
    }

    /// The settings in the file.
    var settings: Settings { get throws { try Settings(provider.snapshot()) } }

    /// Applies each new version of the file until the server stops. Invalid settings are logged, and the old ones stay.
    func run() async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await provider.run() }
            try await provider.watchSnapshot { snapshots in
                for await snapshot in snapshots.cancelOnGracefulShutdown() {
                    do {
                        apply(try Settings(snapshot))
                        logger.info("The settings were applied.")
                    } catch { logger.error("The settings stay unchanged.", metadata: ["error": "\(error)"]) }
                }
            }
            try await group.waitForAll()
        }
    }
}
