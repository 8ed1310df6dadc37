import Configuration
import Logging
import ServiceLifecycle
import Synchronization
import SystemPackage

/// The file of the settings, which the package `swift-configuration` reads again after a change or a SIGHUP.
final class SettingsFile: Service {
    private let provider: ReloadingFileProvider<JSONSnapshot>
    private let logger: Logger
    private let onChange: @Sendable (Settings) -> Void
    private let current: Mutex<Settings>

    /// Opens a JSON file, which must exist and be valid. The operation runs with all new settings.
    init(_ path: String, logger: Logger, onChange: @escaping @Sendable (Settings) -> Void = { _ in }) async throws {
        provider = try await ReloadingFileProvider(filePath: FilePath(path), logger: logger)
        self.logger = logger
        self.onChange = onChange
        current = Mutex(try Settings(provider.snapshot()))
    }

    /// The settings of the last valid version of the file.
    var settings: Settings { current.withLock { $0 } }

    /// Applies each new version of the file until the server stops. Invalid settings are logged, and the old ones stay.
    func run() async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { [provider] in try await provider.run() }
            try await provider.watchSnapshot { snapshots in
                for await snapshot in snapshots.cancelOnGracefulShutdown() {
                    do {
                        let settings = try Settings(snapshot)
                        current.withLock { $0 = settings }
                        onChange(settings)
                        logger.info("The settings were applied.")
                    } catch { logger.error("The settings stay unchanged.", metadata: ["error": "\(error)"]) }
                }
            }
            try await group.waitForAll()
        }
    }
}
