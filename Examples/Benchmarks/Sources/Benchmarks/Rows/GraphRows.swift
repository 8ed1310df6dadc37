import DependencyInjection

/// Rows for the first build of graphs of shared objects.
enum GraphRows {
    static func make() -> [Row] {
        [
            row("first build of 100 nodes, closures", loop: "first-build", NodeGraph.closures),
            row("first build of 100 nodes, autowiring", loop: "first-build-autowired", NodeGraph.autowired),
            Row(
                "first build of 20 nodes, 3 of them Graph", .atMost(1.3, "that with New"),
                resolving(Network.Hub.self, Network.stations, Network.graphLines),
                to: resolving(Network.Hub.self, Network.stations, Network.newLines, as: "with New")),
        ]
    }

    /// Returns a row with the time per node. One repetition of the loop builds a whole graph.
    private static func row(_ name: String, loop: String, _ module: Module) -> Row {
        let graph = { resolving(Node0.self, module) }
        return Row(
            name, .atMost(600, "ns a node over direct"), loop: Loop(name: loop, workload: graph)
        ) { effort in
            let times = effort.best(of: [graph(), direct]).map { $0 / Double(NodeGraph.nodeCount) }
            return Measurement(
                times[0], .nanoseconds, baseline: times[1], "direct", score: times[0] - times[1], .nanoseconds)
        }
    }

    /// Releasing the graph isn't timed, neither here nor in ``direct``.
    private static func resolving<Root>(
        _ type: Root.Type, _ modules: Module..., as name: String = "graph"
    ) -> Workload {
        let container = DIContainer {
            for filler in Fillers.others { filler.registration() }
            modules
        }
        return Workload.timed(name) { repetitions, timer in
            var time = 0.0
            let sink = Sink.make(for: type)
            for _ in 0..<repetitions {
                container.resetInstances()
                var root: Root?
                time += timer { root = container.resolve(type) }
                if let root { sink(root) }
            }
            return time
        }
    }

    private static var direct: Workload {
        Workload.timed("direct") { repetitions, timer in
            var time = 0.0
            let sink = Sink.make(for: Node0.self)
            for _ in 0..<repetitions {
                var root: Node0?
                time += timer { root = NodeGraph.build() }
                if let root { sink(root) }
            }
            return time
        }
    }
}
