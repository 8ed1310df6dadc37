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
        "thread \(thread) has been building for \(beginning.elapsed):\(path.lines(Namesakes(path.suffix(1).map(\.type))))"
    }
}
