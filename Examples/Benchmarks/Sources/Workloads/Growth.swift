import DependencyInjection

extension Workload {
    /// Operations on many objects, and the creation of the same objects without the library.
    package static var growth: [Workload] {
        [
            Workload("first Scoped of a child beside 10,000 others") {
                let parent = Subjects.makeContainerInUse()
                let children = (0..<10_000).map { _ in parent.makeChild() }
                for child in children { _ = child.resolve((any ScopedService).self) }
                let loop = firstScoped(ofChildrenOf: parent)
                return .single { repetitions, measure in
                    withExtendedLifetime(children) { loop(repetitions, measure) }
                }
            },
            making("first Scoped by hand") { ScopedServiceImpl() as any ScopedService },
            making("first build of 100 nodes by hand", NodeGraph.build),
            Workload("register 10,000 keys") {
                // Thousands of types would measure the lookup of metadata at run time instead.
                let types = Fillers.all.prefix(100)
                let names = (0..<100).map { RegistrationName("name \($0)") }
                return .single { repetitions, measure in
                    for _ in 0..<repetitions {
                        let container = DIContainer()
                        measure {
                            container.register {
                                for name in names {
                                    for type in types { type.registration(name) }
                                }
                            }
                        }
                    }
                }
            },
            Workload("fork of 1,000 registrations, and an override") {
                let container = DIContainer { Fillers.registrations(1_000) }
                return .whole { repetitions in
                    repeating(repetitions) { container.fork { Shared(1) } }
                }
            },
        ]
    }

    /// Returns an operation that makes an object. Releasing it isn't measured.
    private static func making<Value>(_ name: String, _ make: @escaping () -> Value) -> Workload {
        Workload(name) {
            .single { repetitions, measure in
                let sink = Sink.make(for: Value.self)
                for _ in 0..<repetitions {
                    var value: Value?
                    measure { value = make() }
                    if let value { sink(value) }
                }
            }
        }
    }
}
