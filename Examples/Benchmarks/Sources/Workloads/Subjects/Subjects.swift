package import DependencyInjection
import Synchronization

/// The containers that the rows resolve from, each with the same 200 other registrations.
package enum Subjects {
    /// Sets up the default container.
    package static func register() { DIContainer.shared = makeContainerInUse() }

    /// The children of the containers in use, which live as long as the process.
    private static let children = Mutex<[DIContainer]>([])

    /// Creates a container in a typical state: an alias has been resolved, and a child has been used.
    package static func makeContainerInUse() -> DIContainer {
        let container = makeContainer()
        let child = container.makeChild()
        for container in [container, child] {
            _ = container.resolve((any Service).self)
            _ = container.resolve((any AliasedService).self)
        }
        children.withLock { $0.append(child) }
        return container
    }

    static func makeContainerInUse(with module: Module) -> DIContainer {
        let container = makeContainerInUse()
        container.register { module }
        return container
    }

    static func makeChildInUse() -> DIContainer { makeContainerInUse().makeChild() }

    private static func makeContainer() -> DIContainer {
        DIContainer {
            for filler in Fillers.others { filler.registration() }
            Shared(ServiceImpl() as any Service)
            Shared(ServiceImpl() as any Service, name: "staging")
            Shared(OtherServiceImpl() as any OtherService)
            Shared(AliasedServiceImpl.init, as: (any AliasedService).self)
            Shared(ClassServiceImpl() as any ClassService)
            Scoped(ScopedServiceImpl() as any ScopedService)
            Scoped(AliasedScopedServiceImpl.init, as: (any AliasedScopedService).self)
            New(PlainProduct() as any Product)
            New(AliasedProductImpl.init, as: (any AliasedProduct).self)
            New { _, number in NumberedProductImpl(number) as any NumberedProduct }
            New { _, title, number, isNew in DetailedProductImpl(title, number, isNew) as any DetailedProduct }
        }
    }

    static func makeBareContainer() -> BareContainer {
        let container = BareContainer()
        for filler in Fillers.others { filler.register(in: container) }
        container.register(ServiceImpl() as any Service)
        container.register(ClassServiceImpl() as any ClassService)
        return container
    }

    static func makeMutexLocator() -> MutexLocator {
        let locator = MutexLocator()
        for filler in Fillers.others { filler.register(in: locator) }
        locator.register(ServiceImpl() as any Service)
        locator.register(OtherServiceImpl() as any OtherService)
        return locator
    }

    static func makeQueueLocator() -> QueueLocator {
        let locator = QueueLocator()
        for filler in Fillers.others { filler.register(in: locator) }
        locator.register(ServiceImpl() as any Service)
        return locator
    }

    static func makeLinearLocator() -> LinearLocator {
        let locator = LinearLocator()
        for filler in Fillers.others { filler.register(in: locator) }
        let service = ServiceImpl()
        locator.register { service as any Service }
        return locator
    }

    static func makeDictionaryLocator() -> DictionaryLocator {
        let locator = DictionaryLocator()
        for filler in Fillers.others { filler.register(in: locator) }
        let service = ServiceImpl()
        locator.register { service as any Service }
        return locator
    }
}
