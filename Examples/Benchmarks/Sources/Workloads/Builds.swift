import DependencyInjection

extension Workload {
    /// Operations that build an instance for each request, and a request that fails. The optimizer can't see the values
    /// of the arguments.
    static var builds: [Workload] {
        [
            Workload("New without arguments") { repeating($0) { DIContainer.resolve((any Product).self) } },
            Workload("New with 3 arguments") { repetitions in
                let (title, number, isNew) = Source.make { ("title", 23, true) }()
                repeating(repetitions) { DIContainer.resolve(title, number, isNew) as any DetailedProduct }
            },
            Workload("Provider with 1 argument") { repetitions in
                let number = Source.make { 42 }()
                let provider = DIContainer.resolve(Provider<any NumberedProduct, Int>.self)
                repeating(repetitions) { provider(number) }
            },
            Workload("New by alias") { repeating($0) { DIContainer.resolve((any AliasedProduct).self) } },
            Workload("failed orThrow", with: { DIContainer { Fillers.registrations(200) } }) {
                repetitions, container in
                let sink = Sink.make(for: ResolutionError.self)
                for _ in 0..<repetitions {
                    do throws(ResolutionError) {
                        _ = try container.resolve.orThrow((any MissingService).self)
                    } catch {
                        sink(error)
                    }
                }
            },
        ]
    }
}
