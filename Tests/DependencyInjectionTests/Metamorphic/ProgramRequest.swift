import DependencyInjection

/// One request of a program, and how it is made.
struct ProgramRequest: Sendable {
    var resolve: Resolver
    var key: Program.Key
    var name: RegistrationName?
    var argument: Int?
    var line: UInt
    var handle = MetamorphicVariation.Handle.orThrow
    /// The container of the `resolve` in use.
    var container: DIContainer?
    /// The container in whose scope it is made.
    var surroundings: DIContainer?
    /// Whether it is made of the default container.
    var isOfDefault = false

    func inSurroundings<Result>(_ work: () throws -> Result) rethrows -> Result {
        guard let surroundings else { return try work() }
        return try DIContainer.withContainer(surroundings, operation: work)
    }

    /// Creates an owner that remembers its container: before the default one is set, or in the container's scope.
    func remembering<Owner>(_ make: () -> Owner) -> Owner {
        if isOfDefault {
            let container = DIContainer.shared
            DIContainer.shared = DIContainer()
            defer { DIContainer.shared = container }
            return make()
        }
        guard let container else { return make() }
        return DIContainer.withContainer(container, operation: make)
    }

    /// Whether the type is registered in the requested container.
    var isRegistered: Bool { DIContainer.current.isRegistered(key, name) }
}

extension DIContainer {
    fileprivate func isRegistered(_ key: Program.Key, _ name: RegistrationName?) -> Bool {
        reportedTypes[key.type].isRegistered(name, in: self)
    }
}

extension TypeOf {
    func isRegistered(_ name: RegistrationName?, in container: DIContainer) -> Bool {
        container.isRegistered(T.self, name: name)
    }

    func sendAsync(_ request: ProgramRequest) async throws -> Product? {
        let (resolve, name, line) = (request.resolve, request.name, request.line)
        if let argument = request.argument {
            return product(
                try await resolve.async(T.self, name: name, arguments: argument, file: "Program.swift", line: line))
        }
        return product(try await resolve.async(T.self, name: name, file: "Program.swift", line: line))
    }

    func send(_ request: ProgramRequest) throws -> Product? {
        if let argument = request.argument { return try send(request, argument) }
        let (resolve, name, file, line) = (request.resolve, request.name, "Program.swift" as StaticString, request.line)
        // The default container needs no name.
        let named = request.isOfDefault ? nil : request.container
        return try request.inSurroundings {
            switch request.handle {
            case .orThrow, .async: product(try resolve.orThrow(T.self, name: name, file: file, line: line))
            case .plain: product(resolve(T.self, name: name, file: file, line: line))
            case .inferred: product(resolve(name: name, file: file, line: line) as T)
            case .optional:
                try resolve.orThrow(T?.self, name: name, file: file, line: line).flatMap { product($0) }
            case .provider:
                product(
                    try resolve.orThrow(Provider<T>.self, name: name, file: file, line: line)
                        .orThrow(file: file, line: line))
            case .optionalProvider:
                try resolve.orThrow(Provider<T>?.self, name: name, file: file, line: line).flatMap {
                    product(try $0.orThrow(file: file, line: line))
                }
            case .ownProvider:
                product(try request.remembering { Provider<T>(name: name) }.orThrow(file: file, line: line))
            case .all: resolve.all(T.self, name: name, file: file, line: line).first.flatMap { product($0) }
            case .alias: productVia(try resolve.orThrow(Via.self, name: name, file: file, line: line))
            case .inject: product(Inject<T>(from: named, name: name, file: file, line: line).wrappedValue)
            case .mutableInject:
                product(MutableInject<T>(from: named, name: name, file: file, line: line).wrappedValue)
            case .lazyInject: product(LazyInject<T>(from: named, name: name, file: file, line: line).wrappedValue)
            case .mutableLazyInject:
                product(MutableLazyInject<T>(from: named, name: name, file: file, line: line).wrappedValue)
            case .rememberingLazyInject:
                product(request.remembering { LazyInject<T>(name: name, file: file, line: line) }.wrappedValue)
            case .rememberingMutableLazyInject:
                product(request.remembering { MutableLazyInject<T>(name: name, file: file, line: line) }.wrappedValue)
            }
        }
    }

    /// Sends a request with an argument.
    private func send(_ request: ProgramRequest, _ argument: Int) throws -> Product? {
        let (resolve, name, file, line) = (request.resolve, request.name, "Program.swift" as StaticString, request.line)
        return try request.inSurroundings {
            switch request.handle {
            case .plain: product(resolve(T.self, name: name, arguments: argument, file: file, line: line))
            case .inferred: product(resolve(argument, name: name, file: file, line: line) as T)
            case .all: product(resolve(T.self, name: name, file: file, line: line) { argument })
            case .ownProvider:
                product(
                    try request.remembering { Provider<T, Int>(name: name) }.orThrow(argument, file: file, line: line))
            case .provider:
                product(
                    try resolve.orThrow(Provider<T, Int>.self, name: name, file: file, line: line)
                        .orThrow(argument, file: file, line: line))
            case .alias:
                productVia(try resolve.orThrow(Via.self, name: name, arguments: argument, file: file, line: line))
            case .optional:
                try resolve.orThrow(T?.self, name: name, arguments: argument, file: file, line: line).flatMap {
                    product($0)
                }
            default: product(try resolve.orThrow(T.self, name: name, arguments: argument, file: file, line: line))
            }
        }
    }
}
