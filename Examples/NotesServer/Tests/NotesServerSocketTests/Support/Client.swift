import Foundation
import Testing

/// A request as bytes.
struct Request: Sendable {
    var method = "GET"
    var target = "/"
    var headers: [(name: String, value: String)] = []
    var body: [UInt8]?

    var bytes: [UInt8] {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
        for header in headers { head += "\(header.name): \(header.value)\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + (body ?? [])
    }
}

/// A client of a server, with a token or without.
struct Client: Sendable {
    let server: RunningServer
    var token: String?

    /// A client without a token of the server that the suite shares.
    static func anonymous(_ wiring: Wiring) throws -> Client { Client(server: try SharedServers.server(wiring)) }

    /// A client of a new user of the server that the suite shares.
    static func user(_ wiring: Wiring) async throws -> Client {
        try await user(of: try SharedServers.server(wiring))
    }

    static func user(of server: RunningServer) async throws -> Client {
        Client(server: server, token: try await server.addUser())
    }

    func request(
        _ method: String, _ target: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil
    ) -> Request {
        var headers = headers
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
        return Request(method: method, target: target, headers: headers, body: body)
    }

    /// A request that sends a note as JSON.
    func request(
        _ method: String, _ target: String, _ note: NoteInput, headers: [(name: String, value: String)] = []
    ) throws -> Request {
        request(method, target, headers: headers + [("Content-Type", "application/json")], body: try note.json)
    }

    /// Sends the beginning of a request to create a note, and waits until the server requests the body. So the request
    /// has begun, and stays open.
    func beginCreating(_ body: [UInt8]) async throws -> Connection {
        let connection = try Connection(to: server.port)
        let headers = [
            (name: "Content-Type", value: "application/json"), ("Content-Length", "\(body.count)"),
            ("Expect", "100-continue"),
        ]
        try await connection.send(request("POST", "/notes", headers: headers).bytes)
        let response = try await connection.receive(to: "POST")
        try #require(response.status == 100, "\(response.text)")
        return connection
    }

    /// Sends a request on a connection of its own and checks the rules for every response.
    func send(
        _ method: String, _ target: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Response {
        let connection = try Connection(to: server.port)
        try await connection.send(request(method, target, headers: headers, body: body).bytes)
        let response = try await connection.receive(to: method)
        expectSound(response, to: method, target, sourceLocation: sourceLocation)
        return response
    }

    /// Sends a note as JSON.
    func send(
        _ method: String, _ target: String, _ note: NoteInput, headers: [(name: String, value: String)] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Response {
        try await send(
            method, target, headers: headers + [("Content-Type", "application/json")], body: try note.json,
            sourceLocation: sourceLocation)
    }

    func create(_ note: NoteInput, sourceLocation: SourceLocation = #_sourceLocation) async throws -> Note {
        let response = try await send("POST", "/notes", note, sourceLocation: sourceLocation)
        try #require(response.status == 201, "\(response.text)", sourceLocation: sourceLocation)
        return try response.decoded(as: Note.self)
    }

    func read(_ id: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws -> Note {
        let response = try await send("GET", "/notes/\(id)", sourceLocation: sourceLocation)
        try #require(response.status == 200, "\(response.text)", sourceLocation: sourceLocation)
        return try response.decoded(as: Note.self)
    }

    func list(_ query: String = "", sourceLocation: SourceLocation = #_sourceLocation) async throws -> NoteList {
        let response = try await send("GET", "/notes\(query)", sourceLocation: sourceLocation)
        try #require(response.status == 200, "\(query): \(response.text)", sourceLocation: sourceLocation)
        return try response.decoded(as: NoteList.self)
    }

    /// Searches for a text with any characters.
    func search(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> NoteList {
        try await list("?search=\(percentEncoded(text))", sourceLocation: sourceLocation)
    }
}

func percentEncoded(_ text: String) -> String {
    text.utf8.map { byte in
        let digits = String(byte, radix: 16)
        return "%" + (digits.count == 1 ? "0" : "") + digits
    }.joined()
}

/// Checks the rules for every response.
func expectSound(
    _ response: Response, to method: String, _ target: String, sourceLocation: SourceLocation = #_sourceLocation
) {
    let request = "\(method) \(target.prefix(100))"
    let id = response["X-Request-ID"] ?? ""
    #expect(id.wholeMatch(of: /[A-Za-z0-9_-]{1,64}/) != nil, "\(request): id '\(id)'", sourceLocation: sourceLocation)
    if !response.body.isEmpty {
        #expect(response["Content-Type"] != nil, "\(request)", sourceLocation: sourceLocation)
    }
    if target != "/" {
        #expect(response["Cache-Control"] == "no-store", "\(request)", sourceLocation: sourceLocation)
    }
}

/// Checks a response with an error.
func expectError(
    _ response: Response, _ status: Int, _ code: String, _ comment: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    #expect(response.status == status, "\(comment) \(response.text)", sourceLocation: sourceLocation)
    guard response.status == status else { return }
    let type = response["Content-Type"] ?? ""
    #expect(type.hasPrefix("application/json"), "\(comment) \(type)", sourceLocation: sourceLocation)
    let content = try response.decoded(as: ErrorResponse.self)
    #expect(content.error.code == code, "\(comment)", sourceLocation: sourceLocation)
    #expect(!content.error.message.isEmpty, "\(comment)", sourceLocation: sourceLocation)
    #expect(content.requestID == response["X-Request-ID"], "\(comment)", sourceLocation: sourceLocation)
    switch status {
    case 401: #expect(response["WWW-Authenticate"] == "Bearer", "\(comment)", sourceLocation: sourceLocation)
    case 405: #expect(response["Allow"] != nil, "\(comment)", sourceLocation: sourceLocation)
    default: break
    }
}
