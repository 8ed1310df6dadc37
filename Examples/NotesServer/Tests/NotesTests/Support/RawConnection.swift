import NIOCore
import NIOPosix
import Synchronization
import Testing

/// A connection that sends any bytes, including invalid HTTP.
struct RawConnection: Sendable {
    private final class Received: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        let state = Mutex((bytes: ByteBuffer(), isClosed: false))

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            state.withLock { _ = $0.bytes.writeBuffer(&bytes) }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case ChannelEvent.inputClosed = event { state.withLock { $0.isClosed = true } }
        }

        func channelInactive(context: ChannelHandlerContext) { state.withLock { $0.isClosed = true } }
    }

    private let channel: any Channel
    private let received: Received

    init(to port: Int) async throws {
        let received = Received()
        self.received = received
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connectTimeout(.seconds(60))
            .channelInitializer { $0.pipeline.addHandler(received) }
            .connect(host: "127.0.0.1", port: port).get()
    }

    func send(_ text: String) async throws { try await channel.writeAndFlush(ByteBuffer(string: text)) }

    /// Sends the head of a request that creates a note.
    func sendHead(_ client: Client, _ field: String) async throws {
        try await send(
            "POST /notes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(client.token ?? "")\r\n"
                + "Content-Type: application/json\r\n\(field)\r\n\r\n")
    }

    /// The bytes that the server has sent.
    var text: String { received.state.withLock { String(buffer: $0.bytes) } }
    var isClosed: Bool { received.state.withLock { $0.isClosed } }

    /// Waits for a text.
    func receive(_ expected: String) async throws {
        let arrived = try await eventually { text.contains(expected) || isClosed }
        #expect(arrived && text.contains(expected), "\(text)")
    }

    /// Waits until the server closes the connection, and returns what it sent before.
    func receiveUntilClosed() async throws -> String {
        let ended = try await eventually { isClosed }
        #expect(ended, "The server doesn't close the connection.")
        try? await channel.close()
        return text
    }
}
