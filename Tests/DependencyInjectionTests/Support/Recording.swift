import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Synchronization
import Testing

/// Records the events of a container.
final class EventLog: Sendable {
    private let all = Locked<[ContainerEvent]>([])

    init(_ container: DIContainer) {
        container.observe { [all] event in all.withLock { $0.append(event) } }
    }

    /// The events since the last read.
    var events: [ContainerEvent] { all.takeAll() }

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

/// An object that runs an action when it is released.
final class ReleaseAction: Sendable {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    deinit { action() }
}

/// An object that detects a use after its release: `deinit` overwrites the memory that `isFine` reads.
final class Tripwire: Sendable {
    private let alive: Counter
    private let state = Atomic<Int>(0xA11CE)

    init(_ alive: Counter = Counter()) {
        self.alive = alive
        alive.increment()
    }

    deinit {
        state.store(0xDEAD, ordering: .relaxed)
        alive.decrement()
    }

    var isFine: Bool { state.load(ordering: .relaxed) == 0xA11CE }
}
