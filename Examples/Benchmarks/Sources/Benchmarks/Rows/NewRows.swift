import DependencyInjection

/// Rows that build an instance for each request. The optimizer can't see the values of the arguments.
enum NewRows {
    static func make() -> [Row] {
        let bare = SharedRows.bareWorkload()
        return [
            Row("New without arguments", nil, loop: "new", plain, beyond: directPlain, to: bare),
            Row(
                "New with 1 argument", nil, loop: "new-with-1-argument", numbered(), beyond: directNumbered(),
                to: bare),
            Row(
                "New with 3 arguments", nil, loop: "new-with-3-arguments", detailed(), beyond: directDetailed(),
                to: bare
            ),
            Row(
                "Provider with 1 argument", nil, loop: "provider-with-1-argument", provider(), beyond: directNumbered(),
                to: bare),
            Row("New by alias", nil, loop: "new-by-alias", aliased, beyond: directAliased, to: bare),
            Row(
                "New inside withContainer", nil, loop: "with-container-new", insideWithContainer(),
                beyond: directPlain, to: bare),
            allocations("New without arguments: allocations", plain, beyond: directPlain),
            allocations("New with 1 argument: allocations", numbered(), beyond: directNumbered()),
            allocations("New with 3 arguments: allocations", detailed(), beyond: directDetailed()),
            allocations("Provider with 1 argument: allocations", provider(), beyond: directNumbered()),
        ]
    }

    /// Returns a row that compares allocations with those of the direct call, which only allocates the instance.
    private static func allocations(_ name: String, _ subject: Workload, beyond direct: Workload) -> Row {
        Row(name, .atMost(0, "beyond direct")) { effort in
            let repetitions = min(10_000, effort.repetitionLimit)
            guard let all = allocations(subject, repetitions), let needed = allocations(direct, repetitions) else {
                return nil
            }
            return Measurement(
                all, .allocations, baseline: needed, direct.name, score: all - needed, .allocations)
        }
    }

    /// Returns the allocations of one operation, computed from the difference between two counts to exclude the
    /// preparation.
    private static func allocations(_ workload: Workload, _ repetitions: Int) -> Double? {
        _ = workload.run(1)
        guard let once = Memory.allocations({ _ = workload.run(repetitions) }),
            let twice = Memory.allocations({ _ = workload.run(2 * repetitions) })
        else { return nil }
        return Double(twice - once) / Double(repetitions)
    }

    // MARK: The library

    private static var plain: Workload {
        Workload("New") { repetitions in
            let sink = Sink.make(for: (any Product).self)
            for _ in 0..<repetitions { sink(DIContainer.resolve((any Product).self)) }
        }
    }

    private static func numbered() -> Workload {
        let source = Source.make { 42 }
        return Workload("New(_:)") { repetitions in
            let sink = Sink.make(for: (any NumberedProduct).self)
            let number = source()
            for _ in 0..<repetitions { sink(DIContainer.resolve(number)) }
        }
    }

    private static func detailed() -> Workload {
        let source = Source.make { ("title", 23, true) }
        return Workload("New(_:_:_:)") { repetitions in
            let sink = Sink.make(for: (any DetailedProduct).self)
            let (title, number, isNew) = source()
            for _ in 0..<repetitions { sink(DIContainer.resolve(title, number, isNew)) }
        }
    }

    private static func provider() -> Workload {
        let source = Source.make { 42 }
        return Workload("Provider(_:)") { repetitions in
            let sink = Sink.make(for: (any NumberedProduct).self)
            let number = source()
            let provider = DIContainer.resolve(Provider<any NumberedProduct, Int>.self)
            for _ in 0..<repetitions { sink(provider(number)) }
        }
    }

    private static var aliased: Workload {
        Workload("New by alias") { repetitions in
            let sink = Sink.make(for: (any AliasedProduct).self)
            for _ in 0..<repetitions { sink(DIContainer.resolve((any AliasedProduct).self)) }
        }
    }

    private static func insideWithContainer() -> Workload {
        let container = Subjects.makeContainerInUse()
        return Workload("withContainer") { repetitions in
            let sink = Sink.make(for: (any Product).self)
            DIContainer.withContainer(container) {
                for _ in 0..<repetitions { sink(DIContainer.resolve((any Product).self)) }
            }
        }
    }

    // MARK: Direct

    private static var directPlain: Workload {
        Workload("direct") { repetitions in
            let sink = Sink.make(for: (any Product).self)
            for _ in 0..<repetitions { sink(PlainProduct()) }
        }
    }

    private static var directAliased: Workload {
        Workload("direct") { repetitions in
            let sink = Sink.make(for: (any AliasedProduct).self)
            for _ in 0..<repetitions { sink(AliasedProductImpl()) }
        }
    }

    private static func directNumbered() -> Workload {
        let source = Source.make { 42 }
        return Workload("direct") { repetitions in
            let sink = Sink.make(for: (any NumberedProduct).self)
            let number = source()
            for _ in 0..<repetitions { sink(NumberedProductImpl(number)) }
        }
    }

    private static func directDetailed() -> Workload {
        let source = Source.make { ("title", 23, true) }
        return Workload("direct") { repetitions in
            let sink = Sink.make(for: (any DetailedProduct).self)
            let (title, number, isNew) = source()
            for _ in 0..<repetitions { sink(DetailedProductImpl(title, number, isNew)) }
        }
    }
}

/// The counterpart of ``Sink``: values that the optimizer can't predict.
private enum Source {
    @inline(never)
    static func make<Value>(_ value: @escaping () -> Value) -> () -> Value {
        CommandLine.argc > 10_000 ? { fatalError("Never chosen.") } : value
    }
}
