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
        alive.increment(by: -1)
    }

    var isFine: Bool { state.load(ordering: .relaxed) == 0xA11CE }
}

/// The standard error of this process. It is redirected to a file, so that the process can wait for reports.
struct RedirectedErrors: Sendable {
    private let path = NSTemporaryDirectory() + "errors-\(UUID().uuidString)"
    private let original = dup(STDERR_FILENO)

    init() {
        let file = open(path, O_CREAT | O_WRONLY | O_APPEND, 0o600)
        dup2(file, STDERR_FILENO)
        close(file)
    }

    private var text: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    /// The number of reports, or 0 while one of them is incomplete.
    var reports: Int { text.hasSuffix("\n") ? text.components(separatedBy: "\n  fix: ").count - 1 : 0 }

    /// Writes everything to the real standard error.
    func end() {
        dup2(original, STDERR_FILENO)
        FileHandle.standardError.write(Data(text.utf8))
        unlink(path)
    }
}

#if os(Linux)
    /// The resident memory of this process, as the kernel reports it.
    enum ResidentMemory {
        /// The number of resident pages.
        static var pages: Int {
            let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
            return fields.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0
        }

        /// Whether freed memory is reused. Sanitizers don't reuse it immediately, in order to detect a use after a
        /// release.
        static let isMeaningful = dlsym(nil, "__asan_init") == nil && dlsym(nil, "__tsan_init") == nil
    }
#endif

extension ExitTest.Result? {
    /// The text that the process has written on its standard error.
    var standardError: String { String(decoding: self?.standardErrorContent ?? [], as: UTF8.self) }
}
