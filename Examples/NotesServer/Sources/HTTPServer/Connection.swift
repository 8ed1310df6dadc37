import CMicroHTTPD
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Holds what one client's connection is doing, and until when it may do so.
///
/// The daemon's thread, the task that answers and the timer change it, so everything is behind one lock.
final class Connection: Sendable {
    fileprivate enum Phase {
        /// Waits for a request, or for the rest of one.
        case receiving
        /// A task answers; the daemon does not touch the connection.
        case answering
        /// The answer is there, and the daemon has to send it.
        case answered(HTTPResponse)
        case sending
        /// The last word is said. What still arrives is dropped, since a socket that is closed before it is read takes the
        /// answer away from the client.
        case refused
        /// The socket is closed, or will be at once, and may be another client's next.
        case closed
    }

    fileprivate struct State {
        var phase = Phase.receiving
        var deadline: ContinuousClock.Instant?
        var target = ""
        /// What has arrived of a request, once its head is complete.
        var request: HTTPRequest?
        var bodyLimit = 0
    }

    /// How long a client may take to read an answer.
    private static let timeToSend = Duration.seconds(60)
    /// How long a client may go on sending after the last word.
    fileprivate static let timeToLinger = Duration.seconds(1)

    private let state: Mutex<State>
    private let socket: Int32
    // A pointer is no `Sendable`. The daemon keeps the connection as long as it is suspended, and `MHD_resume_connection`,
    // the only function that is called with it on another thread than the daemon's, may be called on any.
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

    /// Takes the head of a request, and returns it if its body is known to be too large.
    func receiveHead(method: String, headers: HTTPHeaders, bodyLimit: Int) -> HTTPRequest? {
        state.withLock { state in
            let request = HTTPRequest(method, state.target, headers: headers)
            state.request = request
            state.bodyLimit = bodyLimit
            guard let length = headers["Content-Length"], Int(length) ?? .max > bodyLimit else { return nil }
            return state.refuse()
        }
    }

    /// Takes a part of a body, and returns its request if it gets too large.
    func receive(_ bytes: UnsafeRawBufferPointer) -> HTTPRequest? {
        state.withLock { state in
            guard case .receiving = state.phase, let received = state.request?.body.count else { return nil }
            guard received + bytes.count <= state.bodyLimit else { return state.refuse() }
            state.request?.body.append(contentsOf: bytes)
            return nil
        }
    }

    /// Returns the whole request when its end has arrived.
    func finishReceiving() -> HTTPRequest? {
        state.withLock { state in
            guard case .receiving = state.phase, let request = state.request else { return nil }
            state.phase = .answering
            state.deadline = nil
            // The task has it now, so that the body is not kept twice.
            state.request = nil
            return request
        }
    }

    /// The answer that the task has left, if it has.
    var answer: HTTPResponse? {
        state.withLock { if case .answered(let response) = $0.phase { response } else { nil } }
    }

    func beginSending() {
        state.withLock {
            $0.phase = .sending
            $0.deadline = .now + Self.timeToSend
        }
    }

    /// Waits for the next request.
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

    /// Ends the connection if its time is over, and returns the request if the client waits for an answer to one.
    func expire(at now: ContinuousClock.Instant) -> HTTPRequest? {
        state.withLock { state in
            guard let deadline = state.deadline, deadline < now else { return nil }
            if case .receiving = state.phase, state.request != nil { return state.refuse() }
            state.deadline = nil
            if case .closed = state.phase { return nil }
            // Closing takes the lock, too, so the socket cannot be another client's meanwhile. The daemon notices.
            _ = shutdown(socket, Int32(SHUT_RDWR))
            return nil
        }
    }

    /// Says the last word on a connection, as far as it fits without waiting.
    ///
    /// libmicrohttpd takes no answer while a body arrives, so this one goes past it. It sends nothing itself then.
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
    /// Takes no more of a request, which gets an answer nevertheless.
    fileprivate mutating func refuse() -> HTTPRequest? {
        phase = .refused
        deadline = .now + Connection.timeToLinger
        return request
    }
}
