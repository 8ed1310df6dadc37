extension Workload {
    /// Requests without the library.
    package static var comparedRequests: [Workload] {
        [
            Workload("bare") {
                // Several containers, because each dictionary has its own hash seed and finds a key at the first or at a
                // later attempt.
                let containers = (0..<16).map { _ in Subjects.makeBareContainer() }
                return .whole { repetitions in
                    let sink = Sink.make(for: (any Service).self)
                    for (index, container) in containers.enumerated() {
                        // The shares add up to the repetitions.
                        let share = (repetitions + index) / containers.count
                        for _ in 0..<share { sink(container.resolve((any Service).self)) }
                    }
                }
            },
            Workload("dictionary locator", with: Subjects.makeDictionaryLocator) { repetitions, locator in
                repeating(repetitions) { locator.resolve((any Service).self) }
            },
            Workload("linear locator", with: Subjects.makeLinearLocator) { repetitions, locator in
                repeating(repetitions) { locator.resolve((any Service).self) }
            },
            Workload("mutex locator", with: Subjects.makeMutexLocator) { repetitions, locator in
                repeating(repetitions) { locator.resolve((any Service).self) }
            },
            Workload("queue locator", with: Subjects.makeQueueLocator) { repetitions, locator in
                repeating(repetitions) { locator.resolve((any Service).self) }
            },
            Workload("initializer") { repeating($0) { PlainProduct() as any Product } },
            Workload("initializer with 3 arguments") { repetitions in
                let (title, number, isNew) = Source.make { ("title", 23, true) }()
                repeating(repetitions) { DetailedProductImpl(title, number, isNew) as any DetailedProduct }
            },
            Workload("a request, wired by hand", with: DatabaseImpl.init) { repetitions, database in
                repeating(repetitions) { Request.handle(with: database) }
            },
        ]
    }
}
