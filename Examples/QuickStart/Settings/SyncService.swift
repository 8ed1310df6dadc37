/// A service that synchronizes notes between devices. An app with accounts would add a module that registers one. This
/// app has none.
protocol SyncService: Sendable {
    var account: String { get }
}
