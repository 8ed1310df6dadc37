import CMicroHTTPD
import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An HTTP server based on libmicrohttpd, which answers each request in a task of its own.
///
/// One thread of the library reads and writes for all connections, so that a slow client doesn't occupy a thread.
public final class HTTPServer: Sendable {
    private enum Phase {
        case running
        /// Answers the requests that have begun.
        case stopping
        /// All requests are answered. The daemon must not be stopped while a connection waits for a task.
        case stopped
    }

    /// A pointer isn't `Sendable`. The two functions called with this one, `MHD_quiesce_daemon` and `MHD_stop_daemon`,
    /// may be called on any thread, and are called one after the other.
    private struct Daemon: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private struct State {
        var daemon: Daemon?
        var timer: Task<Void, Never>?
        var phase = Phase.running
        var connections: [ObjectIdentifier: Connection] = [:]
        /// The number of requests whose first line has arrived and whose response hasn't been sent.
        var requests = 0
        var whenIdle: CheckedContinuation<Void, Never>?
    }

    /// The port that the server listens on.
    public let port: UInt16
    private let handler: any HTTPHandler
    private let state = Mutex(State())

    /// Creates a server and begins to listen. Port 0 selects a free port.
    ///
    /// From now on, the whole process ignores the signal that a write to a closed connection raises.
    public init(host: String, port: UInt16, handler: any HTTPHandler) throws {
        self.handler = handler
        let socket = try ListeningSocket(host: host, port: port)
        self.port = socket.port
        signal(SIGPIPE, SIG_IGN)

        // The daemon's callbacks get the server from this pointer. The retain is balanced after the daemon has stopped.
        let context = Unmanaged.passRetained(self).toOpaque()
        let daemon = notes_start_daemon(
            socket.descriptor, 1000, answerCallback, beginCallback, completeCallback, notifyCallback, context)
        guard let daemon else {
            Unmanaged<HTTPServer>.fromOpaque(context).release()
            close(socket.descriptor)
            throw ListeningError(host: host, port: port, reason: "libmicrohttpd does not start")
        }
        let timer = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(100))
                endOverdueConnections()
            }
        }
        state.withLock {
            $0.daemon = Daemon(pointer: daemon)
            $0.timer = timer
        }
    }

    /// Stops listening, waits until all requests that have begun are answered, and closes all connections.
    ///
    /// Can be called once.
    public func stop() async {
        let daemon = state.withLock { state in
            guard let daemon = state.daemon.take() else { preconditionFailure("an HTTPServer stops once") }
            state.phase = .stopping
            return daemon
        }
        let socket = MHD_quiesce_daemon(daemon.pointer)
        if socket >= 0 { close(socket) }
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.requests > 0 { state.whenIdle = continuation } else { state.phase = .stopped }
                return state.phase == .stopped
            }
            if isIdle { continuation.resume() }
        }
        state.withLock { $0.timer }?.cancel()
        // The call waits for the daemon's thread, so it must not block a thread of the cooperative pool.
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                MHD_stop_daemon(daemon.pointer)
                continuation.resume()
            }
        }
        Unmanaged.passUnretained(self).release()
    }

    private func endOverdueConnections() {
        let now = ContinuousClock.now
        for connection in state.withLock({ Array($0.connections.values) }) {
            guard let request = connection.expire(at: now) else { continue }
            connection.end(with: handler.refuse(request, because: .tooSlow))
        }
    }
}

// MARK: - The daemon's thread

extension HTTPServer {
    func open(_ handle: OpaquePointer) -> Connection {
        let connection = Connection(handle, timeToReceive: handler.limits.time)
        state.withLock { $0.connections[ObjectIdentifier(connection)] = connection }
        return connection
    }

    func forget(_ connection: Connection) {
        connection.forgetSocket()
        _ = state.withLock { $0.connections.removeValue(forKey: ObjectIdentifier(connection)) }
    }

    func begin(_ connection: Connection, _ target: String) {
        state.withLock { $0.requests += 1 }
        connection.begin(target)
    }

    func complete(_ connection: Connection) {
        connection.complete(timeToReceive: handler.limits.time)
        let idle = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.requests -= 1
            guard state.requests == 0, let idle = state.whenIdle.take() else { return nil }
            state.phase = .stopped
            return idle
        }
        idle?.resume()
    }

    func receiveHead(_ connection: Connection, _ handle: OpaquePointer, method: String) {
        let headers = headers(of: handle)
        let refused = connection.receiveHead(method: method, headers: headers, bodyLimit: handler.limits.bodyBytes)
        if let refused { connection.end(with: handler.refuse(refused, because: .tooLarge)) }
    }

    func receive(_ connection: Connection, _ bytes: UnsafeRawBufferPointer) {
        guard let refused = connection.receive(bytes) else { return }
        connection.end(with: handler.refuse(refused, because: .tooLarge))
    }

    /// Starts to answer a complete request, or sends its response.
    func answer(_ connection: Connection, _ handle: OpaquePointer) -> MHD_Result {
        if let response = connection.response { return send(response, connection, handle) }
        guard state.withLock({ $0.phase != .stopped }), let request = connection.finishReceiving() else { return .NO }
        // The connection is suspended before the task begins, because the task may end immediately.
        MHD_suspend_connection(handle)
        Task { [handler] in connection.resume(with: await handler.answer(request)) }
        return .YES
    }

    private func send(_ response: HTTPResponse, _ connection: Connection, _ handle: OpaquePointer) -> MHD_Result {
        // The library copies the body, which is released at the end of this function.
        let message = response.body.withUnsafeBytes {
            MHD_create_response_from_buffer(
                $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
        }
        guard let message else { return .NO }
        defer { MHD_destroy_response(message) }
        for field in response.headers.fields { MHD_add_response_header(message, field.name, field.value) }
        if state.withLock({ $0.phase != .running }) { MHD_add_response_header(message, "Connection", "close") }
        connection.beginSending()
        return MHD_queue_response(handle, UInt32(response.status), message)
    }

    private func headers(of handle: OpaquePointer) -> HTTPHeaders {
        var headers = HTTPHeaders()
        // The pointer is only used during the call.
        withUnsafeMutablePointer(to: &headers) { pointer in
            _ = MHD_get_connection_values(
                handle, .HEADER_KIND,
                { context, _, name, value in
                    guard let name else { return .YES }
                    context?.assumingMemoryBound(to: HTTPHeaders.self).pointee
                        .add(String(cString: name), value.map { String(cString: $0) } ?? "")
                    return .YES
                }, pointer)
        }
        return headers
    }
}
