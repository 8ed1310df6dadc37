import Dispatch

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The signals that the server handles, as an asynchronous sequence.
struct Signals: AsyncSequence {
    enum Signal {
        case stop, renew
    }

    private let stream: AsyncStream<Signal>

    /// Begins to handle the signals. From now on, they don't end the program.
    init() {
        stream = AsyncStream { continuation in
            let sources = [(SIGTERM, Signal.stop), (SIGINT, .stop), (SIGHUP, .renew)].map { number, meaning in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number)
                source.setEventHandler { continuation.yield(meaning) }
                source.activate()
                return source
            }
            // The sources live as long as the sequence is iterated.
            continuation.onTermination = { [held = Held(sources: sources)] _ in held.cancel() }
        }
    }

    func makeAsyncIterator() -> AsyncStream<Signal>.Iterator { stream.makeAsyncIterator() }

    /// Dispatch sources may be canceled on any thread, although their type isn't `Sendable`.
    private struct Held: @unchecked Sendable {
        let sources: [any DispatchSourceSignal]
        func cancel() { for source in sources { source.cancel() } }
    }
}
