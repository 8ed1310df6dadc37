import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation

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
