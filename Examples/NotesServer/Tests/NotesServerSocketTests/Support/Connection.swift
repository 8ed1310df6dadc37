import Foundation
import Synchronization

/// A connection to the server. It sends any bytes, including invalid HTTP.
final class Connection: Sendable {
    enum Failure: Error, Equatable {
        /// The server closed the connection, after these bytes of an answer.
        case closed(received: [UInt8])
        /// No bytes arrived for a minute.
        case silence
        case system(Int32)
    }

    private let descriptor: Int32
    /// The bytes that have arrived but don't belong to an answer yet.
    private let arrived = Mutex<[UInt8]>([])

    init(to port: UInt16) throws {
        #if canImport(Darwin)
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        guard descriptor >= 0 else { throw Failure.system(errno) }
        // A server process that is started later must not hold the connection open.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))

        #if canImport(Darwin)
            // A connection closed by the server must not end the test process.
            var isOn: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        #endif

        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        // The pointers are only used during the call, and `connect` reads the given number of bytes.
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // The descriptor is closed by `deinit`, which also runs if this fails.
        guard result == 0 else { throw Failure.system(errno) }
    }

    deinit { close(descriptor) }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws {
        try await onThread { [self] in
            var rest = bytes[...]
            while !rest.isEmpty {
                #if canImport(Darwin)
                    let flags: Int32 = 0
                #else
                    // A connection closed by the server must not end the test process.
                    let flags = Int32(MSG_NOSIGNAL)
                #endif
                // The pointer is only used during the call, with the size of its buffer.
                let count = rest.withUnsafeBytes { systemSend(descriptor, $0.baseAddress, $0.count, flags) }
                guard count > 0 else { throw Self.failure(errno, received: []) }
                rest.removeFirst(count)
            }
        }
    }

    /// Ends the output. Answers can still be received.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Sends each call of `send` as a separate packet.
    func sendWithoutDelay() {
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Receives one answer. Each call returns one of the pipelined answers.
    func receive(to method: String = "GET") async throws -> Response {
        try await onThread { [self] in
            try arrived.withLock { bytes in
                while true {
                    if let (response, count) = try Response.parse(bytes, answering: method, isComplete: false) {
                        bytes.removeFirst(count)
                        return response
                    }
                    guard try readMore(into: &bytes) else {
                        guard let (response, count) = try Response.parse(bytes, answering: method, isComplete: true)
                        else { throw Failure.closed(received: bytes) }
                        bytes.removeFirst(count)
                        return response
                    }
                }
            }
        }
    }

    /// Waits until the server closes the connection, and returns the bytes received before.
    func receiveUntilClosed() async throws -> [UInt8] {
        try await onThread { [self] in
            try arrived.withLock { bytes in
                while try readMore(into: &bytes) {}
                return bytes
            }
        }
    }

    /// Returns whether the server has sent bytes or has closed the connection.
    func hasNews() -> Bool {
        var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&question, 1, 0) > 0
    }

    /// Reads once. Returns false if the server has closed the connection.
    private func readMore(into bytes: inout [UInt8]) throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        // The pointer is only used during the call, with the size of its buffer.
        let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        if count < 0 {
            let failure = Self.failure(errno, received: bytes)
            if case .closed = failure { return false }
            throw failure
        }
        bytes += buffer.prefix(count)
        return count > 0
    }

    private static func failure(_ error: Int32, received: [UInt8]) -> Failure {
        switch error {
        case ECONNRESET, EPIPE: .closed(received: received)
        case EAGAIN: .silence
        default: .system(error)
        }
    }
}

/// Calls the system's function, which is hidden by the method of the same name.
private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    send(descriptor, bytes, count, flags)
}
