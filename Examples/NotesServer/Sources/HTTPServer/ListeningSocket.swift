#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The socket that a server listens on, opened here so that an error has a reason and the port is known.
struct ListeningSocket {
    let descriptor: Int32
    let port: UInt16

    init(host: String, port: UInt16) throws(ListeningError) {
        var hints = addrinfo()
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        hints.ai_flags = AI_PASSIVE
        var found: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &found)
        // The list belongs to this function until `freeaddrinfo`, and `status` indicates whether it exists.
        guard status == 0, let address = found?.pointee else {
            throw ListeningError(host: host, port: port, reason: String(cString: gai_strerror(status)))
        }
        defer { freeaddrinfo(found) }

        descriptor = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
        do {
            // Without this option, the port stays in use for a minute after the server has stopped.
            var yes: Int32 = 1
            let size = socklen_t(MemoryLayout<Int32>.size)
            guard descriptor >= 0, setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size) == 0,
                bind(descriptor, address.ai_addr, address.ai_addrlen) == 0, listen(descriptor, SOMAXCONN) == 0
            else { throw ListeningError(host: host, port: port, reason: String(cString: strerror(errno))) }
            self.port = try Self.port(of: descriptor, family: address.ai_family)
        } catch {
            if descriptor >= 0 { close(descriptor) }
            throw error as? ListeningError ?? ListeningError(host: host, port: port, reason: "\(error)")
        }
    }

    private static func port(of descriptor: Int32, family: Int32) throws(ListeningError) -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        // A `sockaddr_storage` has the size and the alignment for an address of any family.
        let status = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard status == 0 else { throw ListeningError(host: "", port: 0, reason: String(cString: strerror(errno))) }
        return withUnsafeBytes(of: storage) {
            UInt16(
                bigEndian: family == AF_INET6
                    ? $0.load(as: sockaddr_in6.self).sin6_port : $0.load(as: sockaddr_in.self).sin_port)
        }
    }
}

/// The reason why a server can't listen.
public struct ListeningError: Error, CustomStringConvertible {
    /// The requested host.
    public let host: String
    /// The requested port.
    public let port: UInt16
    /// The error message of the system.
    public let reason: String

    /// The host, the port and the reason in one sentence.
    public var description: String { "cannot listen on \(host) port \(port): \(reason)" }
}
