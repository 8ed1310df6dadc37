import DependencyInjection

/// Rows that resolve cached instances.
enum SharedRows {
    static func make() -> [Row] {
        let bare = bareWorkload()
        let mutex = mutexWorkload()
        let queue = queueWorkload()
        return [
            Row("Shared by type / bare", nil, loop: "shared", byType, to: bare),
            Row("Shared by type / mutex locator", nil, byType, to: mutex),
            Row("Shared by type / queue locator", nil, byType, to: queue),
            Row("Shared by inference / bare", nil, loop: "shared-by-inference", byInference, to: bare),
            Row("Shared by inference / queue locator", nil, byInference, to: queue),
            Row("Shared by alias", nil, loop: "shared-by-alias", byAlias, to: bare),
            Row("Shared by name", nil, loop: "shared-by-name", byName, to: bare),
            Row("Shared as P?", nil, loop: "shared-as-optional", asOptional, to: bare),
            Row("missing P?", nil, loop: "missing-protocol", missing, to: bare),
            Row("missing Class?", nil, loop: "missing-class", missingClass, to: bare),
            Row(
                "Shared as a class-bound protocol", nil, loop: "shared-class-bound", classBound,
                to: bareClassBoundWorkload()
            ),
            Row("Weak, retained by a caller", nil, loop: "weak", weakWorkload(), to: bare),
            Row("Shared(mainActor:), built", nil, loop: "shared-main-actor", mainActorWorkload(), to: bare),
            Row("linear locator", nil, linearWorkload(), to: bare),
            Row("dictionary locator", nil, dictionaryWorkload(), to: bare),
            Row("mutex locator", nil, mutex, to: bare),
        ]
    }

    // MARK: Baselines

    /// Resolves from several containers alternately, because each dictionary has its own hash seed and finds a key at
    /// the first or at a later attempt.
    static func bareWorkload() -> Workload {
        let containers = (0..<16).map { _ in Subjects.makeBareContainer() }
        return Workload("bare") { repetitions in
            let sink = Sink.make(for: (any Service).self)
            for (index, container) in containers.enumerated() {
                // The shares add up to the repetitions.
                let share = (repetitions + index) / containers.count
                for _ in 0..<share { sink(container.resolve((any Service).self)) }
            }
        }
    }

    private static func bareClassBoundWorkload() -> Workload {
        let container = Subjects.makeBareContainer()
        return Workload("bare") { repetitions in
            let sink = Sink.make(for: (any ClassService).self)
            for _ in 0..<repetitions { sink(container.resolve((any ClassService).self)) }
        }
    }

    private static func mutexWorkload() -> Workload {
        let locator = Subjects.makeMutexLocator()
        return Workload("mutex locator") { repetitions in
            let sink = Sink.make(for: (any Service).self)
            for _ in 0..<repetitions { sink(locator.resolve((any Service).self)) }
        }
    }

    private static func queueWorkload() -> Workload {
        let locator = Subjects.makeQueueLocator()
        return Workload("queue locator") { repetitions in
            let sink = Sink.make(for: (any Service).self)
            for _ in 0..<repetitions { sink(locator.resolve((any Service).self)) }
        }
    }

    private static func linearWorkload() -> Workload {
        let locator = Subjects.makeLinearLocator()
        return Workload("linear locator") { repetitions in
            let sink = Sink.make(for: (any Service).self)
            for _ in 0..<repetitions { sink(locator.resolve((any Service).self)) }
        }
    }

    private static func dictionaryWorkload() -> Workload {
        let locator = Subjects.makeDictionaryLocator()
        return Workload("dictionary locator") { repetitions in
            let sink = Sink.make(for: (any Service).self)
            for _ in 0..<repetitions { sink(locator.resolve((any Service).self)) }
        }
    }

    // MARK: The library

    private static var byType: Workload {
        Workload("resolve(P.self)") { repetitions in
            let sink = Sink.make(for: (any Service).self)
            for _ in 0..<repetitions { sink(DIContainer.resolve((any Service).self)) }
        }
    }

    private static var byInference: Workload {
        Workload("resolve()") { repetitions in
            let sink = Sink.make(for: (any Service).self)
            for _ in 0..<repetitions { sink(DIContainer.resolve()) }
        }
    }

    private static var byAlias: Workload {
        Workload("alias") { repetitions in
            let sink = Sink.make(for: (any AliasedService).self)
            for _ in 0..<repetitions { sink(DIContainer.resolve((any AliasedService).self)) }
        }
    }

    private static var byName: Workload {
        Workload("name") { repetitions in
            let sink = Sink.make(for: (any Service).self)
            for _ in 0..<repetitions { sink(DIContainer.resolve((any Service).self, name: "staging")) }
        }
    }

    private static var asOptional: Workload {
        Workload("P?") { repetitions in
            let sink = Sink.make(for: (any Service)?.self)
            for _ in 0..<repetitions { sink(DIContainer.resolve((any Service)?.self)) }
        }
    }

    private static var missing: Workload {
        Workload("missing P?") { repetitions in
            let sink = Sink.make(for: (any MissingService)?.self)
            for _ in 0..<repetitions { sink(DIContainer.resolve((any MissingService)?.self)) }
        }
    }

    private static var missingClass: Workload {
        Workload("missing Class?") { repetitions in
            let sink = Sink.make(for: MissingClass?.self)
            for _ in 0..<repetitions { sink(DIContainer.resolve(MissingClass?.self)) }
        }
    }

    private static var classBound: Workload {
        Workload("class-bound") { repetitions in
            let sink = Sink.make(for: (any ClassService).self)
            for _ in 0..<repetitions { sink(DIContainer.resolve((any ClassService).self)) }
        }
    }

    // MARK: The long way

    private static func weakWorkload() -> Workload {
        longWay(DIContainer { Weak(ClassServiceImpl() as any ClassService) })
    }

    private static func mainActorWorkload() -> Workload {
        longWay(DIContainer { Shared(mainActor: ClassServiceImpl() as any ClassService) })
    }

    private static func longWay(_ container: DIContainer) -> Workload {
        let holder = container.resolve((any ClassService).self)
        return Workload("long way") { repetitions in
            let sink = Sink.make(for: (any ClassService).self)
            for _ in 0..<repetitions { sink(container.resolve((any ClassService).self)) }
            withExtendedLifetime(holder) {}
        }
    }
}
