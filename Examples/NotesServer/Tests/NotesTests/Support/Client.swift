import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

/// A client of a server, with a token or without.
struct Client: Sendable {
    let execute: @Sendable (TestClient.Request) async throws -> TestClient.Response
    var token: String?

    /// Sends a request, and checks the rules for every response.
    func send(_ request: TestClient.Request) async throws -> TestClient.Response {
        var request = request
        if let token { request.head.headerFields[.authorization] = "Bearer \(token)" }
        let response = try await execute(request)
        let comment = Comment(rawValue: "\(request.head) \(response.head) \(response.text)")
        let id = response.headers[.requestID] ?? ""
        #expect(id.wholeMatch(of: /[A-Za-z0-9_-]{1,64}/) != nil, comment)
        #expect(response.headers[.cacheControl] == "no-store", comment)
        #expect(response.text.isEmpty || response.headers[.contentType] != nil, comment)
        guard response.status.code >= 400, request.head.method != .head else { return response }
        let content = try response.decoded(as: ErrorResponse.self)
        let code = response.status.reasonPhrase.lowercased().replacing(" ", with: "_")
        #expect(content.error.code == code && content.requestID == id, comment)
        #expect(!content.error.message.isEmpty, comment)
        // The client is told how to continue.
        let (challenge, allowed) = (response.headers[.wwwAuthenticate], response.headers[.allow])
        #expect((challenge == "Bearer") == (response.status == .unauthorized), comment)
        #expect((allowed != nil) == (response.status == .methodNotAllowed), comment)
        return response
    }

    func send(
        _ method: HTTPRequest.Method, _ target: String, _ headers: HTTPFields = [:], note: NoteInput? = nil
    ) async throws -> TestClient.Response {
        var request = TestClient.Request(target, method: method, authority: "localhost", headers: headers)
        if let note {
            request.head.headerFields[.contentType] = "application/json"
            request.body = ByteBuffer(bytes: try JSONEncoder().encode(note))
        }
        return try await send(request)
    }

    func create(_ note: NoteInput) async throws -> Note { try await send(.post, "/notes", note: note).decoded() }

    func read(_ id: Int) async throws -> Note { try await send(.get, "/notes/\(id)").decoded() }

    func list(_ query: String = "") async throws -> NoteList { try await send(.get, "/notes\(query)").decoded() }

    func search(_ text: String) async throws -> NoteList { try await list("?search=\(text.percentEncoded)") }
}

extension Client {
    /// Creates a client that opens a connection for each request.
    ///
    /// A connection of `TestClient` opens within five seconds, or it fails before it sends anything. On a busy machine
    /// this can take longer, so the client tries again.
    init(port: Int, token: String? = nil) {
        let configuration = TestClient.Configuration(timeout: .seconds(60))
        self.init(
            execute: { request in
                var attempts = 12
                while true {
                    attempts -= 1
                    do {
                        return try await TestClient.withClient(
                            host: "127.0.0.1", port: port, configuration: configuration
                        ) { try await $0.execute(request) }
                    } catch ChannelError.connectTimeout where attempts > 0 { continue }
                }
            }, token: token)
    }
}

extension String {
    var percentEncoded: String { addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
}

extension HTTPField.Name {
    static let requestID = Self("X-Request-ID")!
}

extension TestClient.Response {
    var text: String { body.map { String(buffer: $0) } ?? "" }

    func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try #require(try? JSONDecoder().decode(type, from: Data(text.utf8)), "\(head) \(text)")
    }
}

/// Runs the operation the given number of times concurrently, and returns the results in any order.
func concurrently<Value: Sendable>(
    _ count: Int, _ operation: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: Value.self) { group in
        for number in 0..<count { group.addTask { try await operation(number) } }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}

/// A note as the server sends it.
struct Note: Decodable, Equatable, Sendable {
    let id: Int
    let title, body, html: String
    let tags: [String]
    let version: Int
    let createdAt, updatedAt: String
}

/// A page of notes as the server sends it.
struct NoteList: Decodable, Equatable, Sendable {
    let notes: [Note]
    let page, size, total: Int

    var titles: [String] { notes.map(\.title) }
}

/// The server's description of an error.
private struct ErrorResponse: Decodable {
    struct Details: Decodable { let code, message: String }
    let error: Details
    let requestID: String
}

/// A note as a client sends it.
struct NoteInput: Encodable, Sendable {
    let title: String
    let body: String?
    let tags: [String]?

    init(_ title: String, body: String? = nil, tags: [String]? = nil) {
        (self.title, self.body, self.tags) = (title, body, tags)
    }
}
