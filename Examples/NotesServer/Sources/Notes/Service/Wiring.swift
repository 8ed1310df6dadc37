public import HTTPServer

/// The connections between the parts of the program. ``App`` uses a container, and ``HandWiring`` is written by hand.
public protocol Wiring: Sendable {
    /// The current configuration.
    var configuration: Configuration { get }
    /// The users of the server.
    var accounts: Accounts { get }

    /// Answers a request in a unit of work of its own.
    func answer(
        _ route: Route, _ request: HTTPRequest, _ id: RequestID, _ identity: Identity?
    ) async throws -> HTTPResponse

    /// Reads the configuration again. Until then, requests use the old one, which stays if the new one is invalid.
    func renewConfiguration() async throws

    /// Closes the database and other resources after the last response.
    func close() async throws
}

/// A handler that is created for one request.
package protocol Handler {
    func answer() async throws -> HTTPResponse
}
