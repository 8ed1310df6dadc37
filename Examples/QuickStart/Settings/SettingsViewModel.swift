struct SettingsViewModel: ViewModel {
    let configuration: AppConfiguration
    // An Optional is nil if nothing is registered, so the screen works in an app with or without the service.
    let sync: (any SyncService)?

    func text() -> String {
        """
        Settings of \(configuration.title)
          Log level: \(configuration.logLevel)
          Search limit: \(configuration.searchLimit)
          Notes: \(configuration.notes.count)
          Sync: \(sync?.account ?? "not available")

        """
    }
}
