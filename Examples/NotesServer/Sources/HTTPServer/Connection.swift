import CMicroHTTPD
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The state of a client's connection and its time limit.
///
/// The daemon's thread, the responding task and the timer change the state, so it is protected by one lock.
final class Connection: Sendable {
    fileprivate enum Phase {
        /// Waiting for a request, or for the rest of one.
        case receiving
        /// A task creates the response, and the daemon doesn't use the connection.
        case answering
        /// The response is available, and the daemon has to send it.
        case answered(HTTPResponse)
        case sending
        /// The final response has been sent. Further input is discarded, because closing a socket before reading its
        /// input would discard the response.
        case refused
        /// The socket is closed or about to be closed, and its number may be reused for another client.
        case closed
    }

    fileprivate struct State {
        var phase = Phase.receiving
        var deadline: ContinuousClock.Instant?
        var target = ""
        /// The received part of a request, once its head is complete.
        var request: HTTPRequest?
        var bodyLimit = 0
    }

    /// The time limit for a client to read a response.
    private static let timeToSend = Duration.seconds(60)
    /// The time for which a client may continue to send after the final response.
    fileprivate static let timeToLinger = Duration.seconds(1)

    private let state: Mutex<State>
    private let socket: Int32
    // A pointer isn't `Sendable`. The daemon retains the connection while it is suspended. Only `MHD_resume_connection`
    // is called with it on another thread than the daemon's, and that function may be called on any thread.
    private nonisolated(unsafe) let handle: OpaquePointer

    init(_ handle: OpaquePointer, timeToReceive: Duration) {
        self.handle = handle
        socket = notes_socket(handle)
        state = Mutex(State(deadline: .now + timeToReceive))
    }

    // MARK: On the daemon's thread

    func begin(_ target: String) {
        state.withLock { $0.target = target }
    }

    /// Stores the head of a request, and returns the request if its body is known to be too large.
    func receiveHead(method: String, headers: HTTPHeaders, bodyLimit: Int) -> HTTPRequest? {
        state.withLock { state in
            let request = HTTPRequest(method, state.target, headers: headers)
            state.request = request
            state.bodyLimit = bodyLimit
            guard let length = headers["Content-Length"], Int(length) ?? .max > bodyLimit else { return nil }
            return state.refuse()
        }
    }

    /// Stores a part of a body, and returns the request if its body is too large.
    func receive(_ bytes: UnsafeRawBufferPointer) -> HTTPRequest? {
        state.withLock { state in
            guard case .receiving = state.phase, let received = state.request?.body.count else { return nil }
            guard received + bytes.count <= state.bodyLimit else { return state.refuse() }
            state.request?.body.append(contentsOf: bytes)
            return nil
        }
    }

    /// Returns the whole request if it is complete.
    func finishReceiving() -> HTTPRequest? {
        state.withLock { state in
            guard case .receiving = state.phase, let request = state.request else { return nil }
            state.phase = .answering
            state.deadline = nil
            // The task owns the request now, so that the body isn't stored twice.
            state.request = nil
            return request
        }
    }

    /// The response of the task, if it is available.
    var response: HTTPResponse? {
        state.withLock { if case .answered(let response) = $0.phase { response } else { nil } }
    }

    func beginSending() {
        state.withLock {
            $0.phase = .sending
            $0.deadline = .now + Self.timeToSend
        }
    }

    /// Prepares for the next request.
    func complete(timeToReceive: Duration) {
        state.withLock {
            if case .refused = $0.phase { return }
            $0 = State(deadline: .now + timeToReceive)
        }
    }

    func forgetSocket() {
        state.withLock { $0.phase = .closed }
    }

    // MARK: On any thread

    func resume(with response: HTTPResponse) {
        state.withLock { $0.phase = .answered(response) }
        MHD_resume_connection(handle)
    }

    /// Ends the connection if its time limit is exceeded, and returns the request if the client is waiting for a
    /// response.
    func expire(at now: ContinuousClock.Instant) -> HTTPRequest? {
        state.withLock { state in
            guard let deadline = state.deadline, deadline < now else { return nil }
            if case .receiving = state.phase, state.request != nil { return state.refuse() }
            state.deadline = nil
            if case .closed = state.phase { return nil }
            // Closing also requires the lock, so the socket can't be reused for another client before. The daemon
            // notices the shutdown.
            _ = shutdown(socket, Int32(SHUT_RDWR))
            return nil
        }
    }

    /// Sends a final response, as much of it as the socket accepts without blocking.
    ///
    /// libmicrohttpd accepts no response while a body arrives, so this response bypasses it. The library sends nothing
    /// then.
    func end(with response: HTTPResponse) {
        state.withLock { state in
            if case .closed = state.phase { return }
            let bytes = response.lastBytes
            _ = send(socket, bytes, bytes.count, 0)
            _ = shutdown(socket, Int32(SHUT_WR))
        }
    }
}

extension Connection.State {
    /// Ends reading a request, and returns it because it still gets a response.
    fileprivate mutating func refuse() -> HTTPRequest? {
        phase = .refused
        deadline = .now + Connection.timeToLinger
        return request
    }
}
