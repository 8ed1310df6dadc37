import DependencyInjection
import GRDB
import HTTPTypes
import Hummingbird
import NIOCore

/// An error that is sent as the response to a request.
struct APIError: Error, Equatable {
    let status: Int
    let code: String
    let message: String
    /// Additional header fields of the response.
    var headers: HTTPFields = [:]

    static func invalidRequest(_ message: String) -> Self {
        Self(status: 400, code: "invalid_request", message: message)
    }
    static let invalidJSON = Self(status: 400, code: "invalid_json", message: "The body is not valid JSON.")
    static let unauthorized = Self(
        status: 401, code: "unauthorized", message: "Send a valid token: Authorization: Bearer …",
        headers: [.wwwAuthenticate: "Bearer"])
    static let notFound = Self(status: 404, code: "not_found", message: "There is no such resource.")
    static func methodNotAllowed(_ allowed: String) -> Self {
        Self(
            status: 405, code: "method_not_allowed", message: "The path allows \(allowed).",
            headers: [.allow: allowed])
    }
    static let timeout = Self(
        status: 408, code: "timeout", message: "The request took too long to arrive.", headers: [.connection: "close"])
    static let preconditionFailed = Self(
        status: 412, code: "precondition_failed", message: "The note has changed. Read it again.")
    static let tooLarge = Self(
        status: 413, code: "too_large", message: "The body is too large.", headers: [.connection: "close"])
    static let unsupportedMediaType = Self(
        status: 415, code: "unsupported_media_type", message: "Send Content-Type: application/json.")
    static func invalidNote(_ message: String) -> Self { Self(status: 422, code: "invalid_note", message: message) }
    static let preconditionRequired = Self(
        status: 428, code: "precondition_required", message: "Send If-Match with the ETag of the note that you change.")
    static let `internal` = Self(status: 500, code: "internal", message: "The server failed.")
    static let unavailable = Self(status: 503, code: "unavailable", message: "The server is unavailable. Try again.")
}

extension APIError {
    /// Creates the error that clients get for any error of the program. Only this initializer maps errors.
    init(_ error: any Error) {
        switch error {
        case let error as APIError: self = error
        case let error as InvalidNote: self = .invalidNote(error.reason)
        case NoteError.notFound: self = .notFound
        case NoteError.changed: self = .preconditionFailed
        case is CancellationError: self = .unavailable
        case let error as DatabaseError where error.resultCode == .SQLITE_BUSY: self = .unavailable
        case let error as HTTPError where error.status == .notFound: self = .notFound
        case let error as HTTPError where error.status == .serviceUnavailable: self = .unavailable
        case is NIOTooManyBytesError: self = .tooLarge
        case is SlowRequest: self = .timeout
        case let error as ResolutionError:
            // An error of a factory is treated like an error of the request.
            if case .closed = error.reason {
                self = .unavailable
            } else if let cause = error.reason.underlyingError {
                self.init(cause)
            } else {
                self = .internal
            }
        default: self = .internal
        }
    }
}

extension Response {
    /// Creates the response for an error.
    init(_ error: APIError, id: RequestID) {
        struct Body: Encodable {
            struct Error: Encodable { let code, message: String }
            let error: Error
            let requestID: String
        }
        let body = Body(error: .init(code: error.code, message: error.message), requestID: "\(id)")
        let status = HTTPResponse.Status(code: error.status)
        do { try self.init(status, json: body) } catch { self.init(status: .internalServerError) }
        for field in error.headers { headers[field.name] = field.value }
    }
}
