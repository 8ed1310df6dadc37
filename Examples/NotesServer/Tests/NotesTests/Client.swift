import Foundation
import HTTPServer

@testable import Notes
@testable import NotesWiring

/// A client that calls a service without a socket.
struct Client {
    let service: Service
    let directory: TemporaryDirectory
    let wiring: any Wiring
    let log: RecordingLog
    private let tokens: [String: String]

    /// The two wirings of the program.
    enum Way: CaseIterable {
        case byContainer, byHand
    }

    /// Starts a service with a database of its own and the users ada and eve, and closes it after the operation.
    static func with(
        _ way: Way, configuration: String = "{}", _ operation: (Client) async throws -> Void
    ) async throws {
        let client = try await Client(way, configuration)
        do { try await operation(client) } catch {
            try await client.wiring.close()
            throw error
        }
        try await client.wiring.close()
    }

    private init(_ way: Way, _ configuration: String) async throws {
        directory = try TemporaryDirectory()
        log = RecordingLog()
        try directory.write(configuration, to: "configuration.json")
        let file = directory.path("notes.sqlite")
        let configurationFile = directory.path("configuration.json")
        switch way {
        case .byContainer:
            let app = App(database: file, configuration: configurationFile, log: log)
            try await app.start()
            wiring = app
        case .byHand: wiring = try await HandWiring(database: file, configuration: configurationFile, log: log)
        }
        service = Service(wiring, log: log)
        tokens = ["ada": try await wiring.accounts.add("ada"), "eve": try await wiring.accounts.add("eve")]
    }

    /// Sends a request with an optional JSON body.
    func send(
        _ method: String, _ target: String, _ body: String? = nil, user: String? = "ada",
        headers: HTTPHeaders = [:]
    ) async -> HTTPResponse {
        var request = HTTPRequest(method, target, headers: headers, body: Array((body ?? "").utf8))
        if body != nil, headers["Content-Type"] == nil { request.headers["Content-Type"] = "application/json" }
        if let token = user.flatMap({ tokens[$0] }) { request.headers["Authorization"] = "Bearer \(token)" }
        return await service.answer(request)
    }
}

extension HTTPResponse {
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as a JSON object.
    var json: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]) ?? [:] }

    /// The code of an error.
    var code: String? { (json["error"] as? [String: Any])?["code"] as? String }
}
