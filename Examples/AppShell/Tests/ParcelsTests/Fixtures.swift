import DependencyInjection
import Synchronization

@testable import Parcels

/// The registrations of the app, as the app makes them. They contain no instance, because each test has a copy.
let app = {
    let container = DIContainer { CoreServices.module }
    DIContainer.withContainer(container) { _ = AppDelegate() }
    return container
}()

nonisolated final class RecordingLogger: Logger {
    private let lines = Mutex<[String]>([])
    var messages: [String] { lines.withLock { $0 } }
    func log(_ message: String) { lines.withLock { $0.append(message) } }
}

/// Fails the first request for the configuration and for the parcels.
actor UnreliableService: ParcelService {
    private let base: ParcelService
    private(set) var requests: [String] = []

    init(_ base: ParcelService) { self.base = base }

    struct NoAnswer: Error {}

    private func failOnce(_ request: String = #function) throws {
        defer { requests.append(request) }
        if !requests.contains(request) { throw NoAnswer() }
    }

    func configuration() async throws -> AppConfiguration {
        try failOnce()
        return try await base.configuration()
    }
    func parcels(token: String) async throws -> [Parcel] {
        try failOnce()
        return try await base.parcels(token: token)
    }
    func logIn(user: String, code: String) async throws -> String { try await base.logIn(user: user, code: code) }
    func logOut(token: String) async throws { try await base.logOut(token: token) }
}
