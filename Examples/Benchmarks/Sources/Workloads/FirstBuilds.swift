import DependencyInjection

extension Workload {
    /// Operations that build what later requests find cached.
    package static var firstBuilds: [Workload] {
        [
            firstBuild(of: "100 nodes, closures", NodeGraph.closures),
            firstBuild(of: "100 nodes, autowiring", NodeGraph.autowired),
            Workload("first Scoped of a child") { .single(firstScoped(ofChildrenOf: Subjects.makeContainerInUse())) },
        ]
    }

    /// Returns an operation that builds a graph. Releasing the graph isn't measured.
    private static func firstBuild(of name: String, _ module: Module) -> Workload {
        Workload("first build of \(name)") {
            let container = DIContainer {
                for filler in Fillers.others { filler.registration() }
                module
            }
            return .single { repetitions, measure in
                let sink = Sink.make(for: NodeGraph.Root.self)
                for _ in 0..<repetitions {
                    container.resetInstances()
                    var root: NodeGraph.Root?
                    measure { root = container.resolve(NodeGraph.Root.self) }
                    if let root { sink(root) }
                }
            }
        }
    }

    /// Returns a loop that resolves from one child after another. Creating and releasing the children isn't measured.
    static func firstScoped(ofChildrenOf parent: DIContainer) -> (_ repetitions: Int, _ measure: Measure) -> Void {
        { repetitions, measure in
            let sink = Sink.make(for: (any ScopedService).self)
            for _ in 0..<repetitions {
                let child = parent.makeChild()
                var service: (any ScopedService)?
                measure { service = child.resolve((any ScopedService).self) }
                if let service { sink(service) }
            }
        }
    }
}
