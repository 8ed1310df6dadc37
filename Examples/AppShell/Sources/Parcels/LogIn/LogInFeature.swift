import DependencyInjection

enum LogInFeature {
    static let module = Module("Log-in") {
        New(mainActor: LogInModel())
    }
}
