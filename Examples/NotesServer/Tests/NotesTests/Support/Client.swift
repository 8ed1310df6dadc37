import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

/// A response of the server.
struct Response: Sendable {
    let status: Int
    let headers: HTTPFields
    let body: [UInt8]

    subscript(name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }

    var text: String { String(decoding: body, as: UTF8.self) }

    func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body))
    }
}

/// A client of a server, with a token or without.
struct Client: Sendable {
    let server: any ServerUnderTest
    var token: String?

    /// A client without a token of the test's server.
    static func anonymous(_ wiring: Wiring) throws -> Client { Client(server: try TestServers.server(wiring)) }

    /// A client of a new user of the test's server.
    static func user(_ wiring: Wiring, named name: String = UUID().uuidString) async throws -> Client {
        try await user(of: TestServers.server(wiring), named: name)
    }

    static func user(of server: any ServerUnderTest, named name: String = UUID().uuidString) async throws -> Client {
        Client(server: server, token: try await server.addUser(named: name))
    }

    /// Sends a request and checks the rules for every response.
    func send(
        _ method: String, _ target: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Response {
        var fields = HTTPFields()
        if let token { fields[.authorization] = "Bearer \(token)" }
        for header in headers { fields[try #require(HTTPField.Name(header.name))] = header.value }
        let response = try await server.send(
            target, try #require(HTTPRequest.Method(method)), fields, body.map { ByteBuffer(bytes: $0) })
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
    text.utf8.map { byte in (byte < 16 ? "%0" : "%") + String(byte, radix: 16) }.joined()
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
    #expect(response["Cache-Control"] == "no-store", "\(request)", sourceLocation: sourceLocation)
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

/// Runs the operation the given number of times concurrently, and returns the results in the order of the numbers.
func concurrently<Value: Sendable>(
    _ count: Int, _ operation: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: (Int, Value).self) { group in
        for number in 0..<count { group.addTask { (number, try await operation(number)) } }
        var values: [Int: Value] = [:]
        for try await (number, value) in group { values[number] = value }
        return (0..<count).compactMap { values[$0] }
    }
}
