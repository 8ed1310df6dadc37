import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

/// Records the events of a container.
final class EventLog: Sendable {
    private let all = Locked<[ContainerEvent]>([])

    init(_ container: DIContainer) {
        container.observe { [all] event in all.withLock { $0.append(event) } }
    }

    /// The events since the last read.
    var events: [ContainerEvent] {
        all.withLock { events in
            defer { events = [] }
            return events
        }
    }

    /// The events since the last read, as short texts.
    var texts: [String] {
        events.map { $0.description.components(separatedBy: " (")[0].trimmingCharacters(in: .whitespaces) }
    }
}

/// An object that counts its release.
final class Tracked: Sendable {
    private let released: Counter

    init(_ released: Counter) { self.released = released }

    deinit { released.increment() }
}

/// An object that adds its name to a log when it is released.
final class Logged: Sendable {
    private let name: String
    private let log: Log

    init(_ name: String, _ log: Log) { (self.name, self.log) = (name, log) }

    deinit { log.add(name) }
}

/// An object whose `deinit` waits for a latch.
final class SlowlyReleased: Sendable {
    private let began: Counter
    private let mayEnd: Latch

    init(_ began: Counter, _ mayEnd: Latch) { (self.began, self.mayEnd) = (began, mayEnd) }

    deinit {
        began.increment()
        mayEnd.wait()
    }
}
