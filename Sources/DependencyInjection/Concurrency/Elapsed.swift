internal import Dispatch

extension DispatchTime {
    /// The time since this one. A `DispatchTime` occupies one word, unlike an instant of the standard library's clocks.
    var elapsed: Duration { .nanoseconds(Int64(DispatchTime.now().uptimeNanoseconds - uptimeNanoseconds)) }
}
