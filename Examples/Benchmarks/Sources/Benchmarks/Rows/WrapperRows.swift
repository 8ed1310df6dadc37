import DependencyInjection

/// Rows for property wrappers and the initializers of their owners.
enum WrapperRows {
    static func make() -> [Row] {
        [
            Row("@Inject in an initializer", nil, loop: "inject", inject, to: bareInitializer()),
            Row(
                "@LazyInject, later reads", nil, loop: "lazy-inject", lazyInject(), to: stored()),
            Row("stored property", nil, stored(), to: SharedRows.bareWorkload()),
        ]
    }

    private struct Screen {
        @Inject var service: any Service
    }

    private struct BareScreen {
        let service: any Service

        init(_ container: BareContainer) {
            service = container.resolve()
        }
    }

    private final class LazyScreen {
        @LazyInject var service: any Service
    }

    private static var inject: Workload {
        Workload("@Inject") { repetitions in
            let sink = Sink.make(for: Screen.self)
            for _ in 0..<repetitions { sink(Screen()) }
        }
    }

    private static func bareInitializer() -> Workload {
        let container = Subjects.makeBareContainer()
        return Workload("bare") { repetitions in
            let sink = Sink.make(for: BareScreen.self)
            for _ in 0..<repetitions { sink(BareScreen(container)) }
        }
    }

    private final class StoredScreen {
        var service: any Service = Subjects.makeBareContainer().resolve()
    }

    private static func stored() -> Workload {
        let screen = StoredScreen()
        return Workload("stored property") { repetitions in
            let sink = Sink.make(for: (any Service).self)
            for _ in 0..<repetitions { sink(screen.service) }
        }
    }

    private static func lazyInject() -> Workload {
        let screen = LazyScreen()
        return Workload("@LazyInject") { repetitions in
            let sink = Sink.make(for: (any Service).self)
            for _ in 0..<repetitions { sink(screen.service) }
        }
    }
}
