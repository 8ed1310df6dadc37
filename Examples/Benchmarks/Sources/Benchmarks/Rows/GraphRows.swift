import DependencyInjection

/// The first build of a graph of 100 shared objects.
enum GraphRows {
    static func make() -> [Row] {
        [
            row("first build of 100 nodes, closures", Graph.closures),
            row("first build of 100 nodes, autowiring", Graph.autowired),
        ]
    }

    private static func row(_ name: String, _ module: Module) -> Row {
        Row(name, .atMost(600, "ns a node over direct")) { effort in
            let times = effort.best(of: [resolving(module), direct]).map { $0 / Double(Graph.nodeCount) }
            return Measurement(
                times[0], .nanoseconds, baseline: times[1], "direct", score: times[0] - times[1], .nanoseconds)
        }
    }

    /// Releasing the graph is not timed, neither here nor in ``direct``.
    private static func resolving(_ module: Module) -> Workload {
        let container = DIContainer {
            for filler in Fillers.others { filler.registration() }
            module
        }
        return Workload.timed("graph") { repetitions in
            var time = 0.0
            let sink = Sink.make(for: Node0.self)
            for _ in 0..<repetitions {
                container.resetInstances()
                var root: Node0?
                time += nanoseconds { root = container.resolve(Node0.self) }
                if let root { sink(root) }
            }
            return time
        }
    }

    private static var direct: Workload {
        Workload.timed("direct") { repetitions in
            var time = 0.0
            let sink = Sink.make(for: Node0.self)
            for _ in 0..<repetitions {
                var root: Node0?
                time += nanoseconds { root = Graph.build() }
                if let root { sink(root) }
            }
            return time
        }
    }
}
