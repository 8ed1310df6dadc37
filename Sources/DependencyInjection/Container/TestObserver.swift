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
    ///
    /// An observer is told of each request that one of its registrations answers, also in forks of it. Reads of a watched
    /// registration take the long way. Reads of all others are as quick as ever. What is registered or decorated later is not
    /// watched. Of an alias, the target is watched.
    ///
    /// - Parameter isException: Picks registrations and decorators. What consists of one of them is not watched.
    @_optimize(size)
    package static func fork(
        of container: DIContainer?, watchedBy observer: (any TestObserver)?, except isException: (Registration) -> Bool
    ) -> DIContainer {
        let fork = (container?.core ?? CurrentContainer.core).forked()
        guard let observer else { return DIContainer(core: fork) }
        // Nobody else changes the fork's table.
        let entries = fork.entries.elements.map { entry in
            let isUnwatched =
                entry.mode == .forwarded || isException(entry.subject) || entry.decorators.contains(where: isException)
            return isUnwatched ? entry : entry.copied(to: entry.order, watchedBy: observer)
        }
        return DIContainer(core: ContainerCore(entries))
    }
}
