import Foundation
import Hummingbird

extension Response {
    /// Creates a response with a value as JSON.
    init(_ status: HTTPResponse.Status, json value: some Encodable, headers: HTTPFields = [:]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let body = ByteBuffer(bytes: try encoder.encode(value))
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: body))
        self.headers[.contentType] = "application/json"
    }
}

extension Request {
    /// Decodes a JSON body. Throws an ``InvalidNote`` for JSON of another form.
    func decode<Value: Decodable>(_ type: Value.Type) async throws -> Value {
        let mediaType = headers[.contentType]?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces)
        guard mediaType?.lowercased() == "application/json" else { throw APIError.unsupportedMediaType }
        // The service has read the body already.
        let body = try await Array(self.body.collect(upTo: .max).readableBytesView)
        guard String(validating: body, as: UTF8.self) != nil else {
            throw APIError.invalidRequest("The body is not valid UTF-8.")
        }
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch DecodingError.dataCorrupted {
            throw APIError.invalidJSON
        } catch DecodingError.keyNotFound(let key, _) {
            throw InvalidNote(reason: "\(key.stringValue) is missing.")
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw InvalidNote(reason: path.isEmpty ? "The body is not a note." : "\(path) has the wrong type.")
        }
    }
}
