import DependencyInjection

/// Rows for children: resolving from one, creating one, and the work of a server for one request.
enum ChildRows {
    static func make() -> [Row] {
        let bare = SharedRows.bareWorkload()
        let parent = Subjects.makeContainerInUse()
        let child = parent.makeChild()
        return [
            Row("child: parent's Shared by type", nil, loop: "child-shared", shared(child), to: bare),
            Row("child: parent's Shared by alias", nil, loop: "child-shared-by-alias", sharedByAlias(child), to: bare),
            Row("child: Scoped by type", nil, loop: "child-scoped", scoped(child), to: bare),
            Row("child: Scoped by alias", nil, loop: "child-scoped-by-alias", scopedByAlias(child), to: bare),
            Row("makeChild(), created and released", nil, loop: "make-child", makeChild(parent), to: bare),
            Row(
                "first Scoped of a child", .atMost(25, "× bare over direct"), loop: "first-scoped",
                firstScoped(ofChildrenOf: parent),
                beyond: directScoped, to: bare),
            Row("a request", .atMost(90, "× bare"), loop: "request", request(Request.closures), to: bare),
            Row("a request / wired by hand", nil, request(Request.closures), to: requestByHand()),
            Row("a request, autowired", nil, loop: "request-autowired", request(Request.autowired), to: bare),
            Row(
                "a request in withChild", nil, loop: "request-in-with-child", requestInWithChild(Request.closures),
                to: request(Request.closures)),
            Row(
                "a request in withChild, with an onClose", .atMost(1.5, "× without"), loop: "request-with-on-close",
                requestInWithChild(Request.closing), to: requestInWithChild(Request.closures)),
        ]
    }

    /// Returns a workload that resolves from one child after another. Creating and releasing the children isn't timed.
    static func firstScoped(ofChildrenOf parent: DIContainer) -> Workload {
        Workload.timed("first Scoped") { repetitions, timer in
            var time = 0.0
            let sink = Sink.make(for: (any ScopedService).self)
            for _ in 0..<repetitions {
                let child = parent.makeChild()
                var service: (any ScopedService)?
                time += timer { service = child.resolve((any ScopedService).self) }
                if let service { sink(service) }
            }
            return time
        }
    }

    /// Timed one by one like the children, so that reading the clock costs the same.
    private static var directScoped: Workload {
        Workload.timed("direct") { repetitions, timer in
            var time = 0.0
            let sink = Sink.make(for: (any ScopedService).self)
            for _ in 0..<repetitions {
                var service: (any ScopedService)?
                time += timer { service = ScopedServiceImpl() }
                if let service { sink(service) }
            }
            return time
        }
    }

    private static func shared(_ child: DIContainer) -> Workload {
        Workload("parent's Shared") { repetitions in
            let sink = Sink.make(for: (any Service).self)
            for _ in 0..<repetitions { sink(child.resolve((any Service).self)) }
        }
    }

    private static func sharedByAlias(_ child: DIContainer) -> Workload {
        Workload("parent's Shared by alias") { repetitions in
            let sink = Sink.make(for: (any AliasedService).self)
            for _ in 0..<repetitions { sink(child.resolve((any AliasedService).self)) }
        }
    }

    private static func scoped(_ child: DIContainer) -> Workload {
        Workload("Scoped") { repetitions in
            let sink = Sink.make(for: (any ScopedService).self)
            for _ in 0..<repetitions { sink(child.resolve((any ScopedService).self)) }
        }
    }

    private static func scopedByAlias(_ child: DIContainer) -> Workload {
        Workload("Scoped by alias") { repetitions in
            let sink = Sink.make(for: (any AliasedScopedService).self)
            for _ in 0..<repetitions { sink(child.resolve((any AliasedScopedService).self)) }
        }
    }

    private static func makeChild(_ parent: DIContainer) -> Workload {
        Workload("makeChild()") { repetitions in
            let sink = Sink.make(for: DIContainer.self)
            for _ in 0..<repetitions { sink(parent.makeChild()) }
        }
    }

    private static func request(_ module: Module) -> Workload {
        let app = Subjects.makeContainerInUse()
        app.register { module }
        return Workload("request") { repetitions in
            let sink = Sink.make(for: (any Handler).self)
            for _ in 0..<repetitions { sink(Request.handle(in: app)) }
        }
    }

    private static func requestInWithChild(_ module: Module) -> Workload {
        let app = Subjects.makeContainerInUse()
        app.register { module }
        return Workload(awaiting: "request in withChild") { repetitions in
            let sink = Sink.make(for: (any Handler).self)
            for _ in 0..<repetitions { sink(try await Request.handleAndClose(in: app)) }
        }
    }

    private static func requestByHand() -> Workload {
        let database = DatabaseImpl()
        return Workload("by hand") { repetitions in
            let sink = Sink.make(for: (any Handler).self)
            for _ in 0..<repetitions { sink(Request.handle(with: database)) }
        }
    }
}
