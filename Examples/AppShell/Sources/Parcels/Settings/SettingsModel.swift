import DependencyInjection
import Observation

@Observable
final class SettingsModel {
    private let configuration: AppConfiguration
    private let session: Session?
    @ObservationIgnored @LazyInject private var router: Router

    /// Creates the settings. Without a session, they only contain settings of the app as a whole.
    init(configuration: AppConfiguration, session: Session?) {
        self.configuration = configuration
        self.session = session
    }

    var lines: [String] {
        [configuration.serviceName, "Help: \(configuration.supportAddress)", "Account: \(session?.user ?? "none")"]
    }

    func logOut() async { await router.logOut() }
}
