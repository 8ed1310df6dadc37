import DependencyInjection

/// An operation that several threads repeat at the same time.
package struct ThreadWorkload: Sendable {
    package let name: String
    package let threads: Int
    package let work: @Sendable (_ thread: Int, _ repetitions: Int) -> Void

    package static var all: [ThreadWorkload] {
        let container = Subjects.makeContainerInUse()
        let locator = Subjects.makeMutexLocator()
        let holder = Holder(ServiceImpl())
        return [
            ThreadWorkload(name: "one thread, Shared", threads: 1, work: readEither),
            ThreadWorkload(name: "two threads, two instances", threads: 2, work: readEither),
            ThreadWorkload(name: "two threads, one instance", threads: 2) { _, repetitions in
                readEither(0, repetitions)
            },
            ThreadWorkload(name: "two threads, retain and release", threads: 2) { _, repetitions in
                repeating(repetitions) { holder.copy() }
            },
            ThreadWorkload(name: "two threads, mutex locator", threads: 2) { thread, repetitions in
                if thread == 0 {
                    repeating(repetitions) { locator.resolve((any Service).self) }
                } else {
                    repeating(repetitions) { locator.resolve((any OtherService).self) }
                }
            },
            ThreadWorkload(name: "one thread, New", threads: 1) { _, repetitions in
                repeating(repetitions) { container.resolve((any Product).self) }
            },
            ThreadWorkload(name: "two threads, New", threads: 2) { _, repetitions in
                repeating(repetitions) { container.resolve((any Product).self) }
            },
        ]
    }

    /// Reads another instance on each thread.
    @Sendable private static func readEither(_ thread: Int, _ repetitions: Int) {
        if thread == 0 {
            repeating(repetitions) { DIContainer.resolve((any Service).self) }
        } else {
            repeating(repetitions) { DIContainer.resolve((any OtherService).self) }
        }
    }
}

private final class Holder: Sendable {
    private let service: any Service

    init(_ service: any Service) {
        self.service = service
    }

    /// Never inlined, because otherwise nothing would have to be retained.
    @inline(never)
    func copy() -> any Service { service }
}
