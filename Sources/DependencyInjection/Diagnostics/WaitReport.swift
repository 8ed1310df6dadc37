internal import Dispatch
internal import Synchronization

extension DIContainer {
    /// How long a thread waits for a container before it prints what that is building; nil for never.
    ///
    /// ```swift
    /// DIContainer.waitReportDelay = .seconds(2)
    /// ```
    /// A factory that waits for another thread stops for good if that thread asks the same container. The report, on standard
    /// error, then names what is being built, on which path and thread, and since when. It is printed once for each wait. The
    /// delay is five seconds where the library is built for debugging, and else nil. May be read and set on any thread.
    public static var waitReportDelay: Duration? {
        get {
            let milliseconds = WaitReport.delay.load(ordering: .relaxed)
            return milliseconds == 0 ? nil : .milliseconds(milliseconds)
        }
        set { WaitReport.delay.store(newValue.map { max(1, Int($0 / .milliseconds(1))) } ?? 0, ordering: .relaxed) }
    }
}

/// Tells a thread that waits for a container what another thread builds there.
enum WaitReport {
    /// In milliseconds; 0 if nobody wants to know.
    static let delay = Atomic<Int>(_isDebugAssertConfiguration() ? 5_000 : 0)

    /// Notes what is going to be built on a queue; returns whether to remove the note afterwards.
    @inline(never) @_optimize(size)
    static func begin(_ registration: Registration, on queue: ReentrantSerialQueue) -> Bool {
        if delay.load(ordering: .relaxed) == 0 { return false }
        let (thread, beginning) = (ThreadRecord.current, ContinuousClock.now)
        let (name, path) = (thread.name, AsyncStep.path + thread.path + [registration])
        note(
            queue,
            .init(outer: queue.note.load()?.object) {
                let text = ", in which thread " + name + " has been building for \(beginning.duration(to: .now)):"
                return path.reduce(text) { $0 + "\n    " + ResolutionError.Step(registration: $1).description }
            })
        return true
    }

    @inline(never) static func end(_ queue: ReentrantSerialQueue) { note(queue, queue.note.load()?.object.outer) }

    private static func note(_ queue: ReentrantSerialQueue, _ note: ReentrantSerialQueue.Note?) {
        var retired = Retirement()
        if let old = queue.note.exchange(note) { retired.add(old) }
        retired.release()
    }

    /// Begins to wait for a queue; cancel what it returns when the wait is over.
    @_optimize(size) @Sendable static func wait(_ queue: ReentrantSerialQueue) -> DispatchWorkItem? {
        let milliseconds = delay.load(ordering: .relaxed)
        if milliseconds == 0 { return nil }
        let thread = ThreadRecord.current.name
        let report = DispatchWorkItem {
            let note = ThreadRecord.reading { queue.note.load()?.object }?.text() ?? "."
            let fix = "\n  fix: let no factory wait for a thread that asks the container; ask before, or use `async:`."
            let text = "Thread " + thread + " has waited " + String(milliseconds) + " ms for a container"
            ThreadRecord.complain(text + note + fix)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: report)
        return report
    }
}
