internal import Synchronization

/// What a thread on a container's queue is building, and on which path.
final class BuildNote: Sendable {
    let outer: BuildNote?
    private let thread: String
    private let path: [Registration]
    private let beginning = Stopwatch()

    init(_ path: [Registration], on thread: ThreadRecord, outer: BuildNote?) {
        self.outer = outer
        self.thread = thread.name
        self.path = path
    }

    var text: String {
        let names = TypeNames(path.map { $0.type })
        return "thread \(thread) has been building for \(beginning.elapsed):\(names.lines(path))"
    }
}

extension ContainerCore: QueueOwner {
    /// Notes what is going to be built on the queue, for threads that wait for the queue; nil if nobody is told.
    func noteBuild(of registration: Registration) -> BuildNote? {
        if LongWait.delay.load(ordering: .relaxed) == 0 { return nil }
        let thread = ThreadRecord.current
        let build = BuildNote(thread.path + [registration], on: thread, outer: note.load()?.object)
        note.replace(with: build)
        return build
    }

    /// Begins to wait for the container.
    func beginWait() -> AnyObject? {
        let thread = ThreadRecord.current.name
        return LongWait { [self] milliseconds in
            let current = ThreadRecord.reading { note.load()?.object }
            let build = current.map { ", in which \($0.text)" } ?? "."
            return """
                Thread \(thread) has waited \(milliseconds) ms for a container\(build)
                  fix: let no factory wait for a thread that asks the container; ask before, or use `async:`.
                """
        }
    }
}
