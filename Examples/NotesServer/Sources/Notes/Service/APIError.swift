import DependencyInjection
import GRDB
import HTTPTypes
import Hummingbird
import NIOCore

/// An error that is sent as the response to a request, with the name of its status as the code.
struct APIError: Error, Equatable {
    let status: HTTPResponse.Status
    let message: String
    /// Additional header fields of the response.
    var headers: HTTPFields = [:]

    static func invalidRequest(_ message: String) -> Self { Self(status: .badRequest, message: message) }
    static let unauthorized = Self(
        status: .unauthorized, message: "Send a valid token: Authorization: Bearer …",
        headers: [.wwwAuthenticate: "Bearer"])
    static let notFound = Self(status: .notFound, message: "There is no such resource.")
    static func methodNotAllowed(_ allowed: String) -> Self {
        Self(status: .methodNotAllowed, message: "The path allows \(allowed).", headers: [.allow: allowed])
    }
    static let timeout = Self(
        status: .requestTimeout, message: "The request took too long to arrive.", headers: [.connection: "close"])
    static let changed = Self(status: .preconditionFailed, message: "The note has changed. Read it again.")
    static let tooLarge = Self(
        status: .contentTooLarge, message: "The body is too large.", headers: [.connection: "close"])
    static let noJSON = Self(status: .unsupportedMediaType, message: "Send Content-Type: application/json.")
    static func invalidNote(_ message: String) -> Self { Self(status: .unprocessableContent, message: message) }
    static let noVersion = Self(
        status: .preconditionRequired, message: "Send If-Match with the ETag of the note that you change.")
    static let `internal` = Self(status: .internalServerError, message: "The server failed.")
    static let unavailable = Self(status: .serviceUnavailable, message: "The server is unavailable. Try again.")
}

extension APIError {
    /// Creates the error that clients get for any error of the program. Only this initializer maps errors.
    init(_ error: any Error) {
        switch error {
        case let error as APIError: self = error
        case is CancellationError: self = .unavailable
        case let error as DatabaseError where error.resultCode == .SQLITE_BUSY: self = .unavailable
        case let error as HTTPError where error.status == .badRequest: self = .invalidRequest(error.body ?? "")
        case let error as HTTPError where error.status == .notFound: self = .notFound
        case let error as HTTPError where error.status == .serviceUnavailable: self = .unavailable
        case let error as URLEncodedFormError: self = .invalidRequest("\(error)")
        case is NIOTooManyBytesError: self = .tooLarge
        case is SlowRequest: self = .timeout
        case let error as ResolutionError:
            if case .closed = error.reason { self = .unavailable } else { self = .internal }
        default: self = .internal
        }
    }

    /// Returns the response with the error and the ID of the request.
    func response(to request: Request, _ context: NotesContext) throws -> Response {
        struct Body: ResponseEncodable {
            struct Error: Encodable { let code, message: String }
            let error: Error
            let requestID: String
        }
        let code = status.reasonPhrase.lowercased().replacing(" ", with: "_")
        let body = Body(error: .init(code: code, message: message), requestID: "\(context.requestID)")
        return try EditedResponse(status: status, headers: headers, response: body)
            .response(from: request, context: context)
    }
}
