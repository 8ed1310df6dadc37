/// Hears of requests, for tests that use the second product.
package protocol TestObserver: AnyObject, Sendable {
    /// Hears of each request that a watched registration is about to answer.
    ///
    /// - Parameter request: The request, with its path, in the form of an error.
    func registration(_ registration: Registration, answers request: ResolutionError, file: StaticString)

    /// Hears of the error before a plain request stops the program.
    func programStops(by error: ResolutionError, file: StaticString, line: UInt)
}

/// Knows the observer of the current task.
package enum CurrentTest {
    // An object, since a task-local closure crashed in optimised code of Swift 6.3.
    @TaskLocal package static var observer: (any TestObserver)?
}

extension DIContainer {
    /// Makes a fork, of the current container if none is given.
    ///
    /// An observer is told of each request that a registration of the fork answers, also in forks of the fork. Such a
    /// request takes the slow path. What is registered or decorated later is not watched; for an alias, the target
    /// counts.
    ///
    /// - Parameter isException: Picks registrations and decorators. An entry that has one of them is not watched.
    package static func fork(
        of container: DIContainer?, watchedBy observer: (any TestObserver)?,
        except isException: @escaping @Sendable (Registration) -> Bool
    ) -> DIContainer {
        // The fork of a child has new entries, so it is made first: what is newer was registered in the test.
        let base = (container?.core ?? CurrentContainer.core).forked()
        let beginning = Serial.next()
        let watch = observer.map { observer in
            let covers: @Sendable (Entry) -> Bool = { entry in
                entry.serial < beginning && entry.mode != .forwarded && !isException(entry.registration)
                    && !entry.decorators.contains(where: isException)
            }
            return ContainerCore.Watch(observer: observer, covers: covers)
        }
        return DIContainer(core: base.forked(watch))
    }
}
