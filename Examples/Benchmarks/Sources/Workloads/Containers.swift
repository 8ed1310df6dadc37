import DependencyInjection

extension Workload {
    /// Operations that create a container, and the work of a server for one request.
    static var containers: [Workload] {
        [
            Workload("makeChild(), created and released", with: Subjects.makeContainerInUse) { repetitions, parent in
                repeating(repetitions) { parent.makeChild() }
            },
            Workload("first Shared, with its container") {
                repeating($0) { DIContainer { Shared(ServiceImpl() as any Service) }.resolve((any Service).self) }
            },
            request("a request", Request.closures),
            request("a request, autowired", Request.autowired),
            request("a request, autowired aliases", Request.aliases),
            requestInWithChild("a request in withChild", Request.closures),
            requestInWithChild("a request in withChild, with an onClose", Request.closing),
        ]
    }

    private static func request(_ name: String, _ module: Module) -> Workload {
        Workload(name, with: { Subjects.makeContainerInUse(with: module) }) { repetitions, app in
            repeating(repetitions) { Request.handle(in: app) }
        }
    }

    private static func requestInWithChild(_ name: String, _ module: Module) -> Workload {
        Workload(name) {
            let app = Subjects.makeContainerInUse(with: module)
            return .task { repetitions in
                let sink = Sink.make(for: (any Handler).self)
                for _ in 0..<repetitions { sink(try await Request.handleAndClose(in: app)) }
            }
        }
    }
}
