import DependencyInjection
import Observation

@Observable
final class LogInModel {
    var user = ""
    var code = ""
    private(set) var message = ""
    private(set) var isWaiting = false
    @ObservationIgnored @LazyInject private var router: Router

    func logIn() async {
        guard !isWaiting else { return }
        isWaiting = true
        message = ""
        defer { isWaiting = false }
        do { try await router.logIn(user: user, code: code) } catch { message = "\(error)" }
    }
}
