/// What the service tells the app when it starts.
nonisolated struct AppConfiguration: Sendable {
    let serviceName: String
    let supportAddress: String
}
