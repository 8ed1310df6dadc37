import Foundation

/// A source of the current time.
protocol TimeSource: Sendable {
    func now() -> Date
}

/// The time of the system.
struct SystemTime: TimeSource {
    func now() -> Date { Date() }
}
