internal import Dispatch

/// A stopwatch that occupies one word, unlike an instant of the standard library's clocks.
struct Stopwatch: Sendable {
    private let beginning = DispatchTime.now().uptimeNanoseconds

    var elapsed: Duration { .nanoseconds(Int64(DispatchTime.now().uptimeNanoseconds - beginning)) }
}
