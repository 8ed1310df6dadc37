/// Holds the fields of a message's head; their names match in any case.
public struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral {
    /// The names and values, in the order in which they were added.
    public private(set) var fields: [(name: String, value: String)]

    /// Makes a list of fields.
    public init(dictionaryLiteral fields: (String, String)...) {
        self.fields = fields.map { (name: $0.0, value: $0.1) }
    }

    /// Returns the first value of a name, and replaces all values of it when set.
    public subscript(name: String) -> String? {
        get { fields.first { $0.name.matches(name) }?.value }
        set {
            fields.removeAll { $0.name.matches(name) }
            if let newValue { add(name, newValue) }
        }
    }

    /// Adds a field, also if there is one of this name.
    public mutating func add(_ name: String, _ value: String) {
        fields.append((name: name, value: value))
    }
}

extension String {
    /// Compares the names of fields, which are ASCII, without a copy.
    fileprivate func matches(_ other: String) -> Bool {
        utf8.elementsEqual(other.utf8) { $0 == $1 || ($0 | 0x20 == $1 | 0x20 && (0x61...0x7a).contains($0 | 0x20)) }
    }
}

/// Holds what a client has sent.
public struct HTTPRequest: Sendable {
    /// The method in capitals.
    public var method: String
    /// The path and the query, as they were sent.
    public var target: HTTPTarget
    /// The fields of the head.
    public var headers: HTTPHeaders
    /// The whole body.
    public var body: [UInt8]
    /// When the head had arrived.
    public let began = ContinuousClock.now

    /// Makes a request.
    public init(_ method: String, _ target: String, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.method = method
        self.target = HTTPTarget(target)
        self.headers = headers
        self.body = body
    }
}

/// Holds what the server sends back.
public struct HTTPResponse: Sendable {
    /// The number that says how it went.
    public var status: Int
    /// The fields of the head, without `Content-Length`, which follows from the body.
    public var headers: HTTPHeaders
    /// The whole body.
    public var body: [UInt8]

    /// Makes a response.
    public init(_ status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The bytes of the response for a connection that is closed afterwards.
    var lastBytes: [UInt8] {
        var head = "HTTP/1.1 \(status) \r\n"
        for field in headers.fields { head += "\(field.name): \(field.value)\r\n" }
        head += "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        return Array(head.utf8) + body
    }
}
