import Foundation
import HTTPServer

extension HTTPResponse {
    /// Creates a response with a value as JSON.
    init(_ status: Int, json value: some Encodable, headers: HTTPHeaders = [:]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        self.init(status, headers: headers, body: Array(try encoder.encode(value)))
        self.headers["Content-Type"] = "application/json"
    }

    /// Creates the response for an error.
    init(_ error: APIError, id: RequestID) {
        struct Body: Encodable {
            struct Error: Encodable { let code, message: String }
            let error: Error
            let requestID: String
        }
        let body = Body(error: .init(code: error.code, message: error.message), requestID: "\(id)")
        do { try self.init(error.status, json: body) } catch { self.init(500) }
        for (name, value) in error.headers { headers[name] = value }
    }
}

extension HTTPRequest {
    /// Decodes a JSON body. Throws an ``InvalidNote`` for JSON of another form.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let mediaType = headers["Content-Type"]?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces)
        guard mediaType?.lowercased() == "application/json" else { throw APIError.unsupportedMediaType }
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
