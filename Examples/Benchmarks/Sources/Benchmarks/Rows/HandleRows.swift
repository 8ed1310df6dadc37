import DependencyInjection

/// Rows that resolve cached instances without the static function, from containers in use.
enum HandleRows {
    static func make() -> [Row] {
        let bare = SharedRows.bareWorkload()
        let container = Subjects.makeContainerInUse()
        return [
            Row("container: Shared by type", nil, loop: "container-shared", byType(container), to: bare),
            Row(
                "container: Shared by inference", nil, loop: "container-shared-by-inference", byInference(container),
                to: bare),
            Row("container: Shared by alias", nil, loop: "container-shared-by-alias", byAlias(container), to: bare),
            Row("container: Shared by name", nil, loop: "container-shared-by-name", byName(container), to: bare),
            Row("container: Shared as P?", nil, loop: "container-shared-as-optional", asOptional(container), to: bare),
            Row("container: missing Class?", nil, loop: "container-missing-class", missingClass(container), to: bare),
            Row("resolver: Shared", nil, loop: "resolver-shared", throughResolver(container.resolve), to: bare),
            Row("DIContainer.shared: Shared", nil, loop: "default-shared", throughDefault, to: bare),
            Row(
                "Shared inside withContainer", nil, loop: "with-container-shared", insideWithContainer(container),
                to: bare),
        ]
    }

    private static func byType(_ container: DIContainer) -> Workload {
        Workload("container.resolve(P.self)") { repetitions in
            let sink = Sink.make(for: (any Service).self)
            for _ in 0..<repetitions { sink(container.resolve((any Service).self)) }
        }
    }

    private static func byInference(_ container: DIContainer) -> Workload {
        Workload("container.resolve()") { repetitions in
            let sink = Sink.make(for: (any Service).self)
            for _ in 0..<repetitions { sink(container.resolve()) }
        }
    }

    private static func byAlias(_ container: DIContainer) -> Workload {
        Workload("alias") { repetitions in
            let sink = Sink.make(for: (any AliasedService).self)
            for _ in 0..<repetitions { sink(container.resolve((any AliasedService).self)) }
        }
    }

    private static func byName(_ container: DIContainer) -> Workload {
        Workload("name") { repetitions in
            let sink = Sink.make(for: (any Service).self)
            for _ in 0..<repetitions { sink(container.resolve((any Service).self, name: "staging")) }
        }
    }

    private static func asOptional(_ container: DIContainer) -> Workload {
        Workload("P?") { repetitions in
            let sink = Sink.make(for: (any Service)?.self)
            for _ in 0..<repetitions { sink(container.resolve((any Service)?.self)) }
        }
    }

    private static func missingClass(_ container: DIContainer) -> Workload {
        Workload("missing Class?") { repetitions in
            let sink = Sink.make(for: MissingClass?.self)
            for _ in 0..<repetitions { sink(container.resolve(MissingClass?.self)) }
        }
    }

    private static func throughResolver(_ resolve: Resolver) -> Workload {
        Workload("resolve(P.self)") { repetitions in
            let sink = Sink.make(for: (any Service).self)
            for _ in 0..<repetitions { sink(resolve((any Service).self)) }
        }
    }

    private static var throughDefault: Workload {
        Workload("DIContainer.shared.resolve(P.self)") { repetitions in
            let sink = Sink.make(for: (any Service).self)
            for _ in 0..<repetitions { sink(DIContainer.shared.resolve((any Service).self)) }
        }
    }

    private static func insideWithContainer(_ container: DIContainer) -> Workload {
        Workload("withContainer") { repetitions in
            let sink = Sink.make(for: (any Service).self)
            DIContainer.withContainer(container) {
                for _ in 0..<repetitions { sink(DIContainer.resolve((any Service).self)) }
            }
        }
    }
}
