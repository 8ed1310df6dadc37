/// Keeps notes in step between devices. An app with accounts would add a module that registers one; this app has none.
protocol SyncService: Sendable {
    var account: String { get }
}
