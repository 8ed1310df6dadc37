import Dispatch

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Hands over the signals that the server understands, one after the other.
struct Signals: AsyncSequence {
    enum Signal {
        case stop, renew
    }

    private let stream: AsyncStream<Signal>

    /// Takes the signals from the system; from now on they do not end the program.
    init() {
        stream = AsyncStream { continuation in
            let sources = [(SIGTERM, Signal.stop), (SIGINT, .stop), (SIGHUP, .renew)].map { number, meaning in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number)
                source.setEventHandler { continuation.yield(meaning) }
                source.activate()
                return source
            }
            // The sources live as long as somebody listens.
            continuation.onTermination = { [held = Held(sources: sources)] _ in held.cancel() }
        }
    }

    func makeAsyncIterator() -> AsyncStream<Signal>.Iterator { stream.makeAsyncIterator() }

    /// Dispatch sources may be cancelled on any thread, though their type does not say so.
    private struct Held: @unchecked Sendable {
        let sources: [any DispatchSourceSignal]
        func cancel() { for source in sources { source.cancel() } }
    }
}
