/// The configuration that the service sends when the app starts.
nonisolated struct AppConfiguration: Sendable {
    let serviceName: String
    let supportAddress: String
}
