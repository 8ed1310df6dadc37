import Foundation
import Testing

/// A response of the server.
struct Response: Sendable {
    let status: Int
    /// The names are in lower case.
    let headers: [(name: String, value: String)]
    var body: [UInt8] = []

    subscript(name: String) -> String? { headers.first { $0.name == name.lowercased() }?.value }

    var text: String { String(decoding: body, as: UTF8.self) }

    func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body))
    }

    /// Parses a response from the beginning of the bytes, and returns its length in bytes. Returns nil if the bytes end
    /// too early. A response without a length is complete when the connection ends.
    static func parse(
        _ bytes: [UInt8], answering method: String, isComplete: Bool
    ) throws -> (response: Response, count: Int)? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let statusLine = lines[0].split(separator: " ", maxSplits: 2)
        guard statusLine.count >= 2, statusLine[0].hasPrefix("HTTP/1."), let status = Int(statusLine[1]) else {
            throw ServerError("This is no status line: \(lines[0])")
        }
        let headers = try lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { throw ServerError("This is no header: \(line)") }
            return (name: parts[0].lowercased(), value: parts[1].trimmingCharacters(in: .whitespaces))
        }
        var response = Response(status: status, headers: headers)
        let rest = bytes[end.upperBound...]

        let hasNoBody = method == "HEAD" || (100..<200).contains(status) || status == 204 || status == 304
        if hasNoBody { return (response, end.upperBound) }
        if response["Transfer-Encoding"]?.lowercased() == "chunked" {
            guard let (body, stop) = try chunks(rest) else { return nil }
            response.body = body
            return (response, stop)
        }
        if let length = response["Content-Length"] {
            guard let count = Int(length) else { throw ServerError("This is no length: \(length)") }
            guard rest.count >= count else { return nil }
            response.body = Array(rest.prefix(count))
            return (response, end.upperBound + count)
        }
        guard isComplete else { return nil }
        response.body = Array(rest)
        return (response, bytes.count)
    }

    /// Reads a chunked body. Returns nil if the bytes end too early.
    private static func chunks(_ bytes: ArraySlice<UInt8>) throws -> (body: [UInt8], end: Int)? {
        let newLine = Array("\r\n".utf8)
        var body: [UInt8] = []
        var rest = bytes
        while let end = rest.firstRange(of: newLine) {
            let size = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
            guard let count = Int(size, radix: 16) else { throw ServerError("This is no size of a chunk: \(size)") }
            let afterChunk = end.upperBound + count
            guard bytes.endIndex >= afterChunk + newLine.count else { return nil }
            body += bytes[end.upperBound..<afterChunk]
            rest = bytes[(afterChunk + newLine.count)...]
            if count == 0 { return (body, rest.startIndex) }
        }
        return nil
    }
}
