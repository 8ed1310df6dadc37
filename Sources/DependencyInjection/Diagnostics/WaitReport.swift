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
    /// What a container builds. Those that it needs come later in the list.
    private struct Build {
        let core: ObjectIdentifier
        let path: [Registration]
        let thread: String
        let beginning = ContinuousClock.now
    }

    /// In milliseconds; 0 if nobody wants to know.
    #if DEBUG
        static let delay = Atomic<Int>(5_000)
    #else
        static let delay = Atomic<Int>(0)
    #endif
    /// Sound: used on the queue only.
    nonisolated(unsafe) private static var builds: [Build] = []
    private static let queue = ReentrantSerialQueue()

    /// Runs a factory, and notes it meanwhile.
    static func noting<Result>(
        _ registration: Registration, in core: ContainerCore, _ work: () throws -> Result
    ) rethrows -> Result {
        guard delay.load(ordering: .relaxed) > 0 else { return try work() }
        let thread = ThreadRecord.current
        let build = Build(core: ObjectIdentifier(core), path: thread.path + [registration], thread: thread.name)
        queue.sync { builds.append(build) }
        // A container builds one after the other, so this one is its last.
        defer { queue.sync { builds.lastIndex { $0.core == build.core }.map { _ = builds.remove(at: $0) } } }
        return try work()
    }

    /// Begins to wait for a container; cancel what it returns when the wait is over.
    static func begin(_ core: ContainerCore) -> DispatchWorkItem? {
        let milliseconds = delay.load(ordering: .relaxed)
        if milliseconds == 0 { return nil }
        let (core, thread) = (ObjectIdentifier(core), ThreadRecord.current.name)
        let report = DispatchWorkItem {
            var text = "Thread \(thread) has waited \(milliseconds) ms for a container"
            if let build = queue.sync({ builds.last { $0.core == core } }) {
                text += ", in which thread \(build.thread) has been building for \(build.beginning.duration(to: .now)):"
                for registration in build.path { text += "\n    \(ResolutionError.Step(registration: registration))" }
            }
            text += "\n  fix: let no factory wait for a thread that asks the same container; ask before, or use `async:`."
            ThreadRecord.complain(text)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: report)
        return report
    }
}
