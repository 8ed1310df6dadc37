// What is told to threads that wait for the queue.

internal import Synchronization

extension ContainerCore {
    /// Notes what is going to be built on the queue, for threads that wait for the queue; nil if nobody is told.
    func noteBuild(of registration: Registration) -> BuildNote? {
        if LongWait.delay.load(ordering: .relaxed) == 0 { return nil }
        let thread = ThreadRecord.current
        let build = BuildNote(thread.path + [registration], on: thread, outer: note.load()?.object)
        note.replace(with: build)
        return build
    }

    /// Begins to wait for the container; the wait ends when the result is released.
    func beginWait() -> LongWait? {
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
