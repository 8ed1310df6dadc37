import HTTPTypes
import HummingbirdTesting
import NIOCore

/// Runs the operation with a connection to a server of this process, which may be slow on a busy machine.
///
/// A connection of `TestClient` opens within five seconds, or it fails before it sends anything. Then another one is tried.
func withConnection<Value: Sendable>(
    to port: Int, _ operation: @escaping @Sendable (TestClient) async throws -> Value
) async throws -> Value {
    let configuration = TestClient.Configuration(timeout: .seconds(60))
    var attempts = 12
    while true {
        attempts -= 1
        do {
            return try await TestClient.withClient(
                host: "127.0.0.1", port: port, configuration: configuration, operation: operation)
        } catch ChannelError.connectTimeout where attempts > 0 { continue }
    }
}

extension TestClientProtocol {
    /// Returns the text of a response. A server with a socket has a minute for it.
    func text(of target: String) async throws -> String {
        guard let port else {
            return String(buffer: try await execute(uri: target, method: .get).body)
        }
        return try await withConnection(to: port) { connection in
            try await connection.get(target).body.map { String(buffer: $0) } ?? ""
        }
    }
}
