import DependencyInjection

nonisolated enum SettingsFeature {
    static let module = Module("Settings") {
        New(autowiring: SettingsModel.init)
    }
}
