/// A design from many blog posts: an array of factories, of which the first one with the right type is called.
final class LinearLocator {
    private var factories: [Any] = []

    func register<T>(_ factory: @escaping () -> T) {
        factories.append(factory)
    }

    func resolve<T>(_ type: T.Type = T.self) -> T {
        for factory in factories where factory is () -> T {
            return (factory as! () -> T)()
        }
        preconditionFailure("\(type) is not registered.")
    }
}
