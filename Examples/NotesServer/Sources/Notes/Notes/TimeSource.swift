import Foundation

/// Knows what time it is.
protocol TimeSource: Sendable {
    func now() -> Date
}

/// Asks the system.
struct SystemTime: TimeSource {
    func now() -> Date { Date() }
}
