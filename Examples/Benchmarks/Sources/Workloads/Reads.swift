import DependencyInjection

extension Workload {
    /// Operations that return a cached instance.
    static var reads: [Workload] { staticReads + handleReads + wrapperReads + otherReads }

    private static var staticReads: [Workload] {
        [
            Workload("Shared by type") { repeating($0) { DIContainer.resolve((any Service).self) } },
            Workload("Shared by inference") { repeating($0) { DIContainer.resolve() as any Service } },
            Workload("Shared by alias") { repeating($0) { DIContainer.resolve((any AliasedService).self) } },
            Workload("Shared by name") { repeating($0) { DIContainer.resolve((any Service).self, name: "staging") } },
            Workload("Shared as P?") { repeating($0) { DIContainer.resolve((any Service)?.self) } },
            Workload("missing P?") { repeating($0) { DIContainer.resolve((any MissingService)?.self) } },
        ]
    }

    private static var handleReads: [Workload] {
        [
            Workload("container: Shared by type", with: Subjects.makeContainerInUse) { repetitions, container in
                repeating(repetitions) { container.resolve((any Service).self) }
            },
            Workload("resolver: Shared", with: { Subjects.makeContainerInUse().resolve }) { repetitions, resolve in
                repeating(repetitions) { resolve((any Service).self) }
            },
            Workload("DIContainer.shared: Shared") {
                repeating($0) { DIContainer.shared.resolve((any Service).self) }
            },
            Workload("Shared inside withContainer", with: Subjects.makeContainerInUse) { repetitions, container in
                DIContainer.withContainer(container) {
                    repeating(repetitions) { DIContainer.resolve((any Service).self) }
                }
            },
            Workload("child: parent's Shared by type", with: Subjects.makeChildInUse) { repetitions, child in
                repeating(repetitions) { child.resolve((any Service).self) }
            },
            Workload("child: Scoped by type", with: Subjects.makeChildInUse) { repetitions, child in
                repeating(repetitions) { child.resolve((any ScopedService).self) }
            },
        ]
    }

    private static var wrapperReads: [Workload] {
        [
            Workload("@Inject in an initializer") { repeating($0) { Screen() } },
            Workload("@LazyInject, later reads", with: LazyScreen.init) { repetitions, screen in
                repeating(repetitions) { screen.service }
            },
        ]
    }

    /// Operations that need more than the table that is read without a lock.
    private static var otherReads: [Workload] {
        [
            Workload("Shared(mainActor:), built") {
                let container = DIContainer { Shared(mainActor: ClassServiceImpl() as any ClassService) }
                return .task { repetitions in
                    await MainActor.run { repeating(repetitions) { container.resolve((any ClassService).self) } }
                }
            },
            Workload("Weak, retained by a caller") { repetitions in
                let container = DIContainer { Weak(ClassServiceImpl() as any ClassService) }
                withExtendedLifetime(container.resolve((any ClassService).self)) {
                    repeating(repetitions) { container.resolve((any ClassService).self) }
                }
            },
        ]
    }
}

private struct Screen {
    @Inject var service: any Service
}

private final class LazyScreen {
    @LazyInject var service: any Service
}
