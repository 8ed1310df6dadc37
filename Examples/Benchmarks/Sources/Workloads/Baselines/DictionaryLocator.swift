/// A dictionary of factories as `Any`, which are cast back for each request.
final class DictionaryLocator {
    private var factories: [ObjectIdentifier: Any] = [:]

    func register<T>(_ factory: @escaping () -> T) {
        factories[ObjectIdentifier(T.self)] = factory
    }

    func resolve<T>(_ type: T.Type = T.self) -> T {
        let factory = factories[ObjectIdentifier(type)] as! () -> T
        return factory()
    }
}
