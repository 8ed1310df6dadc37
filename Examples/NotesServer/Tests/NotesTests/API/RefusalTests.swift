import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

/// Requests that the server refuses with the same status.
struct Refusals: CustomTestStringConvertible, Sendable {
    let status: HTTPResponse.Status
    let requests: [TestClient.Request]

    var testDescription: String { "\(status)" }

    /// The requests for targets.
    init(
        _ status: HTTPResponse.Status, _ method: HTTPRequest.Method, _ targets: [String],
        _ headers: HTTPFields = [:]
    ) {
        self.status = status
        requests = targets.map { TestClient.Request($0, method: method, headers: headers) }
    }

    /// The requests that create and change notes with bodies.
    init(_ status: HTTPResponse.Status, type: String? = "application/json", bodies: [ByteBuffer]) {
        var headers: HTTPFields = [.ifMatch: "*"]
        headers[.contentType] = type
        self.status = status
        requests = bodies.flatMap { [headers] body in
            [
                TestClient.Request("/notes", method: .post, headers: headers, body: body),
                TestClient.Request("/notes/1", method: .put, headers: headers, body: body),
            ]
        }
    }

    /// The requests that change a note in a version that isn't its current one.
    init(_ status: HTTPResponse.Status, versions: [String]) {
        self.status = status
        let json: HTTPFields = [.contentType: "application/json"]
        requests = versions.flatMap { version in
            [HTTPRequest.Method.put, .delete].map { method in
                let headers = json + [.init(name: .ifMatch, value: version)]
                return TestClient.Request(
                    "/notes/1", method: method, headers: headers, body: .init(string: #"{"title": "b"}"#))
            }
        }
    }
}

@Suite(TestServers()) struct RefusalTests {
    private static let refusals = [
        Refusals(
            .badRequest, .get,
            [
                "page=0", "page=-1", "page=x", "page=", "page=1.0", "page=1e3", "page=0x1", "page=%201", "size=x",
                "page=99999999999999999999", "size=0", "size=-5", "size=101", "size=", "size=99999999999999999999",
                "page=1&page=2", "size=5&size=5", "search=a&search=b", "tag=a&tag=b", "search=%", "tag=%zz", "page=1'",
                "size=1;DROP", "search[]=a", "size[a]=1",
            ].map { "/notes?\($0)" }),
        Refusals(
            .notFound, .get,
            [
                "/nothing", "/note", "/notes2", "/Notes", "/health/x", "/index.html", "/notes/..%2f", "/notes/..%2f1",
                "/notes/../health", "/notes/./1", "/notes/1/2", "/notes/1/html", "/notes/0x1", "/notes/0", "/notes/-1",
                "/notes/+1", "/notes/1.0", "/notes/1.json", "/notes/1%00", "/notes/1%20", "/notes/%201", "/notes/1;x",
                "/notes/1%27", "/notes/99999999999999999999", "/notes/18446744073709551617",
                "/notes/9223372036854775807", "/notes/abc", "/notes/%D9%A1", "/../../../etc/passwd",
                "/%2e%2e/%2e%2e/etc/passwd", "/..%5c..%5cetc%5cpasswd", "/notes.sqlite", "/notes/%c3%28", "/%ff",
                "/\(String(repeating: "a", count: 3_000))", "/\(String(repeating: "../", count: 500))etc/passwd",
            ]),
        Refusals(.methodNotAllowed, .put, ["/notes", "/"]),
        Refusals(.methodNotAllowed, .delete, ["/notes", "/health"]),
        Refusals(.methodNotAllowed, .post, ["/notes/1", "/health", "/"]),
        Refusals(.methodNotAllowed, .patch, ["/notes/1"]),
        Refusals(.methodNotAllowed, HTTPRequest.Method("BREW")!, ["/notes"]),
        Refusals(.methodNotAllowed, HTTPRequest.Method("get")!, ["/notes/1"]),
        Refusals(
            .preconditionFailed,
            versions: ["\"2\"", "\"0\"", "\"11\"", "\"-1\"", "\"99999999999999999999\"", "W/\"1\""]),
        Refusals(
            .badRequest,
            versions: ["1", "\"1", "1\"", "abc", "\"1\" \"1\"", "*, \"1\"", "w/\"1\"", "W/", ",", "1 OR 1=1"]),
        Refusals(.preconditionRequired, .put, ["/notes/1"], [.contentType: "application/json"]),
        Refusals(
            .badRequest,
            bodies: [
                "", "{", #"{"title": "a""#, #"{"title": "a"} more"#, #"{title: "a"}"#, #"{"title": "\x"}"#, "title=a",
                "1",
                String(repeating: "[", count: 30_000), String(repeating: #"{"title":"#, count: 7_000), "null",
                #""title""#,
                "{}", #"{"body": "text"}"#, #"{"title": 1}"#, #"{"title": null}"#, #"{"title": "a", "body": {}}"#, "[]",
                #"{"title": "a", "tags": "a"}"#, #"{"title": "a", "tags": [1]}"#,
            ].map { ByteBuffer(string: $0) }),
        // This isn't UTF-8.
        Refusals(
            .badRequest,
            bodies: [[0xff, 0xfe], [0xc3], [0xed, 0xa0, 0x80]].map { (bytes: [UInt8]) in
                ByteBuffer(bytes: Array(#"{"title": ""#.utf8) + bytes + Array(#""}"#.utf8))
            }),
        Refusals(
            .unprocessableContent,
            bodies: [
                #"{"title": ""}"#, #"{"title": " \n\t "}"#, #"{"title": "\#(String(repeating: "a", count: 201))"}"#,
                #"{"title": "a", "tags": \#((1...21).map { "tag\($0)" })}"#, #"{"title": "a", "tags": [""]}"#,
                #"{"title": "a", "tags": ["\#(String(repeating: "a", count: 51))"]}"#, #"{"title": "a\u0000b"}"#,
                #"{"title": "a", "body": "a\u0000b"}"#, #"{"title": "a", "tags": ["a\u0000b"]}"#,
            ].map { ByteBuffer(string: $0) }),
    ]
    private static let otherTypes = [
        "text/plain", "application/jsonx", "application/x-www-form-urlencoded", "json", "", nil,
    ].map { Refusals(.unsupportedMediaType, type: $0, bodies: [ByteBuffer(string: #"{"title": "b"}"#)]) }

    @Test(arguments: Wiring.allCases, refusals + otherTypes)
    func refusedRequestsChangeNothing(wiring: Wiring, refusals: Refusals) async throws {
        let user = try await TestServers.user(wiring)
        let note = try await user.create(NoteInput("a"))
        for request in refusals.requests {
            let response = try await user.send(request)
            #expect(response.status == refusals.status, "\(request) \(response.text)")
            for word in ["sqlite", "SELECT", "MATCH", ".swift", "/home", "/tmp", "DependencyInjection"] {
                #expect(!response.text.contains(word), "An error reveals internals: \(response.text)")
            }
        }
        #expect(try await user.list().notes == [note])
        #expect(note.id == 1)
    }

    @Test(
        arguments: Wiring.allCases,
        [("/notes", "GET, HEAD, POST"), ("/notes/1", "GET, HEAD, PUT, DELETE"), ("/", "GET, HEAD")])
    func allowedMethodsAreListed(wiring: Wiring, route: (target: String, methods: String)) async throws {
        let response = try await TestServers.user(wiring).send(.patch, route.target)
        #expect(response.headers[.allow] == route.methods)
    }
}
