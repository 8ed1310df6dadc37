import Foundation
import Synchronization

/// A connection to the server. It sends any bytes that a test wants, including invalid HTTP.
final class Connection: Sendable {
    enum Failure: Error, Equatable {
        /// The server closed the connection after these bytes of a response.
        case closed(received: [UInt8])
        /// Nothing came for a minute.
        case silence
        case system(Int32)
    }

    private let descriptor: Int32
    /// The received bytes that belong to no response yet.
    private let arrived = Mutex<[UInt8]>([])

    init(to port: UInt16) throws {
        #if canImport(Darwin)
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        guard descriptor >= 0 else { throw Failure.system(errno) }
        // A server that another test starts must not hold the connection open.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))

        #if canImport(Darwin)
            // A server that has closed the connection must not end the tests.
            var isOn: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        #endif

        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        // The pointers are used for the call only, and `connect` reads exactly the given number of bytes.
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // The descriptor is closed by `deinit`, which runs also if this fails.
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
                    // A server that has closed the connection must not end the tests.
                    let flags = Int32(MSG_NOSIGNAL)
                #endif
                // The pointer is used for the call only, with the size of the buffer that it belongs to.
                let count = rest.withUnsafeBytes { systemSend(descriptor, $0.baseAddress, $0.count, flags) }
                guard count > 0 else { throw Self.failure(errno, received: []) }
                rest.removeFirst(count)
            }
        }
    }

    /// Ends the sending side. Responses can still be received.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Makes every call of `send` a packet of its own.
    func sendWithoutDelay() {
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Receives one response. Pipelined responses come one call after the other.
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

    /// Waits until the server closes the connection, and returns the bytes that it sent before.
    func receiveUntilClosed() async throws -> [UInt8] {
        try await onThread { [self] in
            try arrived.withLock { bytes in
                while try readMore(into: &bytes) {}
                return bytes
            }
        }
    }

    /// Whether the server has sent something, or has closed the connection.
    func hasInput() -> Bool {
        var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&question, 1, 0) > 0
    }

    /// Reads once. Returns false when the server has closed the connection.
    private func readMore(into bytes: inout [UInt8]) throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        // The pointer is used for the call only, with the size of the buffer that it belongs to.
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

/// The system's function, which the method of the same name hides.
private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    send(descriptor, bytes, count, flags)
}
