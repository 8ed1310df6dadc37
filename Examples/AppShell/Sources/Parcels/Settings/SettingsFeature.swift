import DependencyInjection

enum SettingsFeature {
    static let module = Module("Settings") {
        New(autowiring: SettingsModel.init)
    }
}
