public import HTTPServer

/// Connects the parts of the program. There are two: ``App`` has a container do it, and ``HandWiring`` does it by hand.
public protocol Wiring: Sendable {
    /// The configuration of this moment.
    var configuration: Configuration { get }
    /// Who may use the server.
    var accounts: Accounts { get }

    /// Answers a request in a unit of work of its own.
    func answer(
        _ route: Route, _ request: HTTPRequest, _ id: RequestID, _ identity: Identity?
    ) async throws -> HTTPResponse

    /// Reads the configuration again; whoever asks meanwhile gets the old one, and keeps it if the new one is broken.
    func renewConfiguration() async throws

    /// Closes what was opened, after the last answer.
    func close() async throws
}

/// Answers one request, and is made for it.
protocol Handler {
    func answer() async throws -> HTTPResponse
}
