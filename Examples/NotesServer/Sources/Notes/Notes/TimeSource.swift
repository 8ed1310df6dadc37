package import Foundation

/// A source of the current time.
package protocol TimeSource: Sendable {
    func now() -> Date
}

/// The time of the system.
package struct SystemTime: TimeSource {
    package init() {}

    package func now() -> Date { Date() }
}
