/// The header fields of a message. Their names are case-insensitive.
public struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral {
    /// The names and values, in the order in which they were added.
    public private(set) var fields: [(name: String, value: String)]

    /// Creates a list of fields.
    public init(dictionaryLiteral fields: (String, String)...) {
        self.fields = fields.map { (name: $0.0, value: $0.1) }
    }

    /// The first value for a name. Setting it replaces all values for the name.
    public subscript(name: String) -> String? {
        get { fields.first { $0.name.matches(name) }?.value }
        set {
            fields.removeAll { $0.name.matches(name) }
            if let newValue { add(name, newValue) }
        }
    }

    /// Adds a field, even if there is already one with this name.
    public mutating func add(_ name: String, _ value: String) {
        fields.append((name: name, value: value))
    }
}

extension String {
    /// Compares the names of fields, which are ASCII, without copying them.
    fileprivate func matches(_ other: String) -> Bool {
        utf8.elementsEqual(other.utf8) { $0 == $1 || ($0 | 0x20 == $1 | 0x20 && (0x61...0x7a).contains($0 | 0x20)) }
    }
}

/// A request from a client.
public struct HTTPRequest: Sendable {
    /// The method in upper case.
    public var method: String
    /// The path and the query, as sent.
    public var target: HTTPTarget
    /// The header fields.
    public var headers: HTTPHeaders
    /// The whole body.
    public var body: [UInt8]
    /// The time when the head had arrived.
    public let began = ContinuousClock.now

    /// Creates a request.
    public init(_ method: String, _ target: String, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.method = method
        self.target = HTTPTarget(target)
        self.headers = headers
        self.body = body
    }
}

/// A response of the server.
public struct HTTPResponse: Sendable {
    /// The status code.
    public var status: Int
    /// The header fields, without `Content-Length`, which is derived from the body.
    public var headers: HTTPHeaders
    /// The whole body.
    public var body: [UInt8]

    /// Creates a response.
    public init(_ status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The bytes of the response, for a connection that is closed afterwards.
    var lastBytes: [UInt8] {
        var head = "HTTP/1.1 \(status) \r\n"
        for field in headers.fields { head += "\(field.name): \(field.value)\r\n" }
        head += "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        return Array(head.utf8) + body
    }
}
