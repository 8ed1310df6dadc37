import DependencyInjection

enum SettingsFeature {
    static let module = Module("Settings") {
        New(autowiring: SettingsViewModel.init)
    }
}
