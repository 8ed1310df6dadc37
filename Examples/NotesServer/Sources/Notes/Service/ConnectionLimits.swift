import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// The limits of one connection: the time to receive a request, and the end of a connection whose request was refused.
///
/// All of its functions run on the connection's event loop.
final class ConnectionLimits: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The time for which a client may continue to send after the final response. Closing a socket before reading its
    /// input would discard the response.
    private static let timeToLinger = TimeAmount.seconds(1)

    private let timeToReceive: () -> TimeAmount
    private var deadline: Scheduled<Void>?
    /// The number of requests that have begun and aren't answered.
    private var open = 0
    private var isLast = false

    init(_ timeToReceive: @escaping () -> TimeAmount) { self.timeToReceive = timeToReceive }

    func handlerRemoved(context: ChannelHandlerContext) { stopClock() }

    func channelActive(context: ChannelHandlerContext) {
        startClock(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            open += 1
            if deadline == nil { startClock(context) }
        case .body: break
        case .end: stopClock()
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head): isLast = head.headerFields[.connection] == "close"
        case .body: break
        case .end:
            open -= 1
            if isLast {
                context.writeAndFlush(data, promise: promise)
                context.close(mode: .output, promise: nil)
                let channel = context.channel
                context.eventLoop.scheduleTask(in: Self.timeToLinger) { channel.close(promise: nil) }
                return
            }
            if open == 0, deadline == nil { startClock(context) }
        }
        context.write(data, promise: promise)
    }

    /// Limits the time until the end of the next request. Its reader gets the error when the time is over.
    private func startClock(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        deadline = context.eventLoop.scheduleTask(in: timeToReceive()) { bound.value.fireErrorCaught(SlowRequest()) }
    }

    private func stopClock() {
        deadline?.cancel()
        deadline = nil
    }
}

/// The error of a request that takes longer than its limit to arrive.
struct SlowRequest: Error {}
