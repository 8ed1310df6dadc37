/// Is told of requests, for the tests of the second product.
package protocol TestObserver: AnyObject, Sendable {
    /// Is called for each request that a watched registration answers, before the answer.
    ///
    /// - Parameter request: The request, with its path, in the form of an error.
    func registration(_ registration: Registration, answers request: ResolutionError, file: StaticString)

    /// Is called before a plain request stops the program.
    func programStops(by error: ResolutionError, file: StaticString, line: UInt)
}

/// Knows the observer of the current task.
package enum CurrentTest {
    // A class, since a task-local closure crashed in optimised code of Swift 6.3.
    @TaskLocal package static var observer: (any TestObserver)?
}

extension DIContainer {
    /// Makes a fork, of the current container if none is given.
    package static func fork(of container: DIContainer?) -> DIContainer {
        DIContainer(core: (container?.core ?? CurrentContainer.core).forked())
    }

    /// Tells an observer of each request that one of the registrations here answers, also in forks of this container.
    ///
    /// Reads of a watched registration take the long way. Reads of all others are as quick as ever. What is registered or
    /// decorated later is not watched. Of an alias, the target is watched. Nobody else may have seen the container yet.
    ///
    /// - Parameter isException: Picks registrations and decorators. What consists of one of them is not watched.
    package func watch(by observer: any TestObserver, except isException: (Registration) -> Bool) {
        var retired = Retirement()
        for entry in ThreadRecord.reading({ core.entries.elements }) where entry.mode != .forwarded {
            if isException(entry.subject) || entry.decorators.contains(where: isException) { continue }
            let watched = Entry(entry.subject, decorators: entry.decorators, order: entry.order, observer: observer)
            core.entries.put(watched, at: entry.key.word, where: { $0 === entry }, retiring: &retired)
        }
        retired.release()
    }
}
