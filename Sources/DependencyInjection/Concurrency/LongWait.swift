internal import Dispatch
internal import Synchronization

/// A wait that is reported on standard error if it lasts long. The wait ends when this object is released.
final class LongWait: Sendable {
    /// The duration in milliseconds after which a wait is reported, or 0 for no report.
    static let delay = Atomic<Int>(_isDebugAssertConfiguration() ? 5_000 : 0)

    /// A dedicated queue gets a thread even if many other threads are blocked.
    private static let queue = DispatchQueue(label: "DependencyInjection.deadlockWarning")

    private let text: @Sendable (Int) -> String

    private init(milliseconds: Int, _ text: @escaping @Sendable (Int) -> String) {
        self.text = text
        // The reference is weak, because the timer would retain the captured values long after the wait has ended.
        Self.queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            if let self { printToStandardError(self.text(milliseconds)) }
        }
    }

    /// Begins a wait. Returns `nil` if deadlock warnings are disabled.
    ///
    /// - Parameter text: Returns the text for the elapsed milliseconds.
    static func begin(_ text: @escaping @Sendable (Int) -> String) -> LongWait? {
        let milliseconds = delay.load(ordering: .relaxed)
        return milliseconds == 0 ? nil : LongWait(milliseconds: milliseconds, text)
    }
}
