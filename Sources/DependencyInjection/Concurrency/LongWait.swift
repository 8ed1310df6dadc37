internal import Dispatch
internal import Synchronization

/// A wait that is reported on standard error if it lasts long. It is over when this object is released.
final class LongWait: Sendable {
    /// How long a wait lasts before it is reported, in milliseconds; 0 for no report.
    static let delay = Atomic<Int>(_isDebugAssertConfiguration() ? 5_000 : 0)

    /// A queue of its own gets a thread even if others block many threads.
    private static let queue = DispatchQueue(label: "DependencyInjection.waitReport")

    private let text: @Sendable (Int) -> String

    /// Begins a wait; nil if such reports are off.
    ///
    /// - Parameter text: Makes the text from the milliseconds that have passed.
    init?(_ text: @escaping @Sendable (Int) -> String) {
        let milliseconds = Self.delay.load(ordering: .relaxed)
        if milliseconds == 0 { return nil }
        self.text = text
        // The timer would keep what the text needs long after the wait is over.
        Self.queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            if let self { StandardError.print(self.text(milliseconds)) }
        }
    }
}
