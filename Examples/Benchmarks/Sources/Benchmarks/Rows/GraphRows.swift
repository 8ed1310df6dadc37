import DependencyInjection

/// The first build of graphs of shared objects.
enum GraphRows {
    static func make() -> [Row] {
        [
            row("first build of 100 nodes, closures", NodeGraph.closures),
            row("first build of 100 nodes, autowiring", NodeGraph.autowired),
            Row(
                "first build of 20 nodes, 3 of them Graph", .atMost(1.3, "that with New"),
                resolving(Network.Hub.self, Network.stations, Network.graphLines),
                to: resolving(Network.Hub.self, Network.stations, Network.newLines, as: "with New")),
        ]
    }

    private static func row(_ name: String, _ module: Module) -> Row {
        Row(name, .atMost(600, "ns a node over direct")) { effort in
            let times = effort.best(of: [resolving(Node0.self, module), direct]).map {
                $0 / Double(NodeGraph.nodeCount)
            }
            return Measurement(
                times[0], .nanoseconds, baseline: times[1], "direct", score: times[0] - times[1], .nanoseconds)
        }
    }

    /// Releasing the graph is not timed, neither here nor in ``direct``.
    private static func resolving<Root>(
        _ type: Root.Type, _ modules: Module..., as name: String = "graph"
    ) -> Workload {
        let container = DIContainer {
            for filler in Fillers.others { filler.registration() }
            modules
        }
        return Workload.timed(name) { repetitions in
            var time = 0.0
            let sink = Sink.make(for: type)
            for _ in 0..<repetitions {
                container.resetInstances()
                var root: Root?
                time += nanoseconds { root = container.resolve(type) }
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
                time += nanoseconds { root = NodeGraph.build() }
                if let root { sink(root) }
            }
            return time
        }
    }
}
