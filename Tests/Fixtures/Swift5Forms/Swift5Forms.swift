import DependencyInjection

// Registrations in a module in Swift 5 mode.

public func sharedInSwift5<T, each Alias>(
    name: RegistrationName?, as aliases: repeat (each Alias).Type, file: StaticString, line: UInt,
    _ factory: @escaping (Resolver) throws -> T
) -> Shared<T> {
    Shared(factory, name: name, as: repeat each aliases, file: file, line: line)
}

public func scopedInSwift5<T, each Alias>(
    name: RegistrationName?, as aliases: repeat (each Alias).Type, file: StaticString, line: UInt,
    _ factory: @escaping (Resolver) throws -> T
) -> Scoped<T> {
    Scoped(factory, name: name, as: repeat each aliases, file: file, line: line)
}

public func weakInSwift5<T, each Alias>(
    name: RegistrationName?, as aliases: repeat (each Alias).Type, file: StaticString, line: UInt,
    _ factory: @escaping (Resolver) throws -> T
) -> any RegistrationConvertible {
    Weak(factory, name: name, as: repeat each aliases, file: file, line: line)
}

public func graphInSwift5<T, each Alias>(
    name: RegistrationName?, as aliases: repeat (each Alias).Type, file: StaticString, line: UInt,
    _ factory: @escaping (Resolver) throws -> T
) -> any RegistrationConvertible {
    Graph(factory, name: name, as: repeat each aliases, file: file, line: line)
}

public func newInSwift5<T, each Alias>(
    name: RegistrationName?, as aliases: repeat (each Alias).Type, file: StaticString, line: UInt,
    _ factory: @escaping (Resolver) throws -> T
) -> any RegistrationConvertible {
    New(factory, name: name, as: repeat each aliases, file: file, line: line)
}
