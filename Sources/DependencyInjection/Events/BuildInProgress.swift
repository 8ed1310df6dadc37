internal import Dispatch
internal import Synchronization

/// A build on the queue of a container, for the reports about waiting threads.
final class BuildInProgress: Sendable {
    /// The build that requested this one.
    let outer: BuildInProgress?
    private let thread: String
    private let path: [Registration]
    private let beginning = DispatchTime.now()

    init(_ path: [Registration], on thread: ThreadRecord, outer: BuildInProgress?) {
        self.outer = outer
        self.thread = thread.name
        self.path = path
    }

    var text: String {
        "thread \(thread) has been building for \(Int(beginning.elapsed / .milliseconds(1))) ms:\(path.lines(TypeNameFormatter(disambiguating: path.last.map { [$0.type] } ?? [])))"
    }
}

extension ContainerCore {
    /// Records a build on the queue, for the deadlock warnings of other threads. Returns `nil` if these are disabled.
    func pushBuild(of registration: Registration) -> BuildInProgress? {
        if LongWait.delay.load(ordering: .relaxed) == 0 { return nil }
        let thread = ThreadRecord.current
        let build = BuildInProgress(
            thread.path + [registration], on: thread, outer: currentBuild.load()?.object)
        currentBuild.replace(with: build)
        return build
    }

    /// Removes the record of a build, and restores the record of the outer one.
    func popBuild(_ build: BuildInProgress?) {
        if let build { currentBuild.replace(with: build.outer) }
    }

    /// Begins a wait for the queue. It ends when the result is released.
    func beginWait() -> LongWait? {
        let thread = ThreadRecord.current.name
        return LongWait.begin { [self] milliseconds in
            let build = ThreadRecord.reading { currentBuild.load()?.object }
            return """
                Thread \(thread) has waited \(milliseconds) ms for a container\(build.map { ", in which \($0.text)" } ?? ".")
                  fix: resolve before the factory waits for another thread
                   or: register the factory with `async:`
                """
        }
    }
}
