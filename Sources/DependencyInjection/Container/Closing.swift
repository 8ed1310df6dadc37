/// The end of a container, from the moment when `close()` begins.
final class Closing: Sendable {
    /// Where `close()` was called.
    let site: CallSite
    /// Closes what the container keeps. Nobody cancels it.
    let task: Task<Void, any Error>

    init(at site: CallSite, _ task: Task<Void, any Error>) {
        self.site = site
        self.task = task
    }
}

/// An instance that has to be closed, and the `OnClose` statements that say how, in the order in which they run.
struct Closable: Sendable {
    let instance: Instance
    var statements: [Registration]
}
