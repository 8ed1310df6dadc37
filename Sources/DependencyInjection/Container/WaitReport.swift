internal import Dispatch
public import Synchronization

extension DIContainer {
    /// How long a thread waits for a container before it prints what the container is building; nil for never.
    ///
    /// ```swift
    /// DIContainer.waitReportDelay = .seconds(2)
    /// ```
    /// A factory that waits for another thread stops for good if that thread asks the same container. The report, on
    /// standard error, then names what is being built, on which path and thread, and since when. It is printed once for
    /// each wait. The default is five seconds if the library is built for debugging, and otherwise nil. May be read and
    /// set on any thread.
    public static var waitReportDelay: Duration? {
        get {
            let milliseconds = waitDelay.load(ordering: .relaxed)
            return milliseconds == 0 ? nil : .milliseconds(milliseconds)
        }
        set { waitDelay.store(newValue.map { max(1, Int(min($0 / .milliseconds(1), 1e12))) } ?? 0, ordering: .relaxed) }
    }
}

/// The delay in milliseconds; 0 for no report.
@usableFromInline let waitDelay = Atomic<Int>(_isDebugAssertConfiguration() ? 5_000 : 0)

extension ContainerCore: QueueOwner {
    /// Notes what is going to be built on the queue; returns whether to remove the note afterwards.
    @inline(never) func addNote(_ registration: Registration) -> Bool {
        if waitDelay.load(ordering: .relaxed) == 0 { return false }
        let (thread, beginning) = (ThreadRecord.current, Stopwatch())
        let (name, path) = (thread.name, thread.path + [registration])
        note.replace(
            with: Note(outer: note.load()?.object) {
                ", in which thread " + name + " has been building for " + beginning.elapsed.description + ":"
                    + ResolutionError.lines(path[...]).description
            })
        return true
    }

    @inline(never) func removeNote() { note.replace(with: note.load()?.object.outer) }

    /// Begins to wait for the container.
    func beginWait() -> DispatchWorkItem? {
        let milliseconds = waitDelay.load(ordering: .relaxed)
        if milliseconds == 0 { return nil }
        let thread = ThreadRecord.current.name
        let report = DispatchWorkItem { [self] in
            let build = ThreadRecord.reading { note.load()?.object }?.text() ?? "."
            let fix = "\n  fix: let no factory wait for a thread that asks the container; ask before, or use `async:`."
            let text = "Thread " + thread + " has waited " + String(milliseconds) + " ms for a container"
            ThreadRecord.complain(text + build + fix)
        }
        // A queue of its own gets a thread even if others block many threads.
        DispatchQueue(label: "DependencyInjection.waitReport").asyncAfter(
            deadline: .now() + .milliseconds(milliseconds), execute: report)
        return report
    }
}
