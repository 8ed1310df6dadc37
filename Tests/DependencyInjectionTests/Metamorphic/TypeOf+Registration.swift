import DependencyInjection
import Swift5Forms

extension TypeOf {
    func registration(_ recipe: Program.Recipe, _ writing: Writing) -> any RegistrationConvertible {
        // The additional alias leads wherever the type does.
        let hasVia = writing.variation.handles != nil
        let registration =
            switch (recipe.alias, hasVia) {
            case (nil, false): registration(recipe, writing, as: T.self)
            case (nil, true): registration(recipe, writing, as: T.self, Via.self)
            case (firstProtocolType, false): registration(recipe, writing, as: T.self, (any Red).self)
            case (firstProtocolType, true): registration(recipe, writing, as: T.self, (any Red).self, Via.self)
            case (_, false): registration(recipe, writing, as: T.self, (any Blue).self)
            case (_, true): registration(recipe, writing, as: T.self, (any Blue).self, Via.self)
            }
        guard var form = registration as? any _LifetimeRegistration else { return registration }
        if let collection = recipe.collection {
            form = collection == firstProtocolType ? form.into((any Red).self) : form.into((any Blue).self)
        }
        return writing.variation.contributes ? form.into((any Sendable).self) : form
    }

    private func registration<each Alias>(
        _ recipe: Program.Recipe, _ writing: Writing, as aliases: repeat (each Alias).Type
    ) -> any RegistrationConvertible {
        let maker = Autowired(type: self, recipe: recipe, writing: writing, aliases: (repeat each aliases))
        let (name, file, line) = (writing.name(recipe.key), "Program.swift" as StaticString, UInt(recipe.number))
        let make: @Sendable (Resolver) throws -> T = { try maker.make(by: $0) }
        switch (recipe.manner, form(of: recipe, writing.variation)) {
        case (.mainActor, _):
            let make: @MainActor @Sendable (Resolver) throws -> T = { try maker.make(by: $0) }
            return switch recipe.lifetime {
            case .shared:
                maker.closed(Shared(mainActor: make, name: name, as: repeat each aliases, file: file, line: line))
            case .scoped:
                maker.closed(Scoped(mainActor: make, name: name, as: repeat each aliases, file: file, line: line))
            case .weak: Weak(mainActor: make, name: name, as: repeat each aliases, file: file, line: line)
            case .graph: Graph(mainActor: make, name: name, as: repeat each aliases, file: file, line: line)
            case .new: New(mainActor: make, name: name, as: repeat each aliases, file: file, line: line)
            }
        case (.async, _):
            let make: @Sendable (Resolver) async throws -> T = { try await maker.asyncMake(by: $0) }
            return recipe.lifetime == .shared
                ? maker.closed(Shared(async: make, name: name, as: repeat each aliases, file: file, line: line))
                : maker.closed(Scoped(async: make, name: name, as: repeat each aliases, file: file, line: line))
        case (.plain, _) where recipe.takesArgument:
            let make: @Sendable (Resolver, Int) throws -> T = { try maker.make(by: $0, $1) }
            return switch recipe.lifetime {
            case .shared: maker.closed(Shared(make, name: name, as: repeat each aliases, file: file, line: line))
            case .scoped: maker.closed(Scoped(make, name: name, as: repeat each aliases, file: file, line: line))
            case .weak: Weak(make, name: name, as: repeat each aliases, file: file, line: line)
            case .graph: Graph(make, name: name, as: repeat each aliases, file: file, line: line)
            case .new: New(make, name: name, as: repeat each aliases, file: file, line: line)
            }
        case (.plain, .autowired):
            if recipe.dependencies.isEmpty { return maker.registrationWithoutDependencies }
            let dependencies = recipe.dependencies.map { writing.dependency($0) }
            return dependencies[0].autowired(maker, rest: dependencies[1...])
        case (.plain, .value):
            return switch recipe.lifetime {
            case .shared:
                maker.closed(Shared(try maker.makeAlone(), name: name, as: repeat each aliases, file: file, line: line))
            case .scoped:
                maker.closed(Scoped(try maker.makeAlone(), name: name, as: repeat each aliases, file: file, line: line))
            case .weak: Weak(try maker.makeAlone(), name: name, as: repeat each aliases, file: file, line: line)
            case .graph: Graph(try maker.makeAlone(), name: name, as: repeat each aliases, file: file, line: line)
            case .new: New(try maker.makeAlone(), name: name, as: repeat each aliases, file: file, line: line)
            }
        case (.plain, .swift5):
            return switch recipe.lifetime {
            case .shared:
                maker.closed(sharedInSwift5(name: name, as: repeat each aliases, file: file, line: line, make))
            case .scoped:
                maker.closed(scopedInSwift5(name: name, as: repeat each aliases, file: file, line: line, make))
            case .weak: weakInSwift5(name: name, as: repeat each aliases, file: file, line: line, make)
            case .graph: graphInSwift5(name: name, as: repeat each aliases, file: file, line: line, make)
            case .new: newInSwift5(name: name, as: repeat each aliases, file: file, line: line, make)
            }
        case (.plain, .trailing):
            return switch recipe.lifetime {
            case .shared:
                maker.closed(Shared(name: name, as: repeat each aliases, file: file, line: line, factory: make))
            case .scoped:
                maker.closed(Scoped(name: name, as: repeat each aliases, file: file, line: line, factory: make))
            case .weak: Weak(name: name, as: repeat each aliases, file: file, line: line, factory: make)
            case .graph: Graph(name: name, as: repeat each aliases, file: file, line: line, factory: make)
            case .new: New(name: name, as: repeat each aliases, file: file, line: line, factory: make)
            }
        case (.plain, _):
            return switch recipe.lifetime {
            case .shared: maker.closed(Shared(make, name: name, as: repeat each aliases, file: file, line: line))
            case .scoped: maker.closed(Scoped(make, name: name, as: repeat each aliases, file: file, line: line))
            case .weak: Weak(make, name: name, as: repeat each aliases, file: file, line: line)
            case .graph: Graph(make, name: name, as: repeat each aliases, file: file, line: line)
            case .new: New(make, name: name, as: repeat each aliases, file: file, line: line)
            }
        }
    }

    /// The form in which a registration can be written: an initializer has no names, and a value no dependencies.
    private func form(of recipe: Program.Recipe, _ variation: MetamorphicVariation) -> MetamorphicVariation.Form {
        let needsNames = variation.names || recipe.dependencies.contains { $0.key.isNamed }
        switch variation.form {
        case .asWritten: return recipe.isAutowired && !needsNames ? .autowired : .closure
        case .autowired where needsNames: return .closure
        case .value where !recipe.dependencies.isEmpty: return .closure
        default: return variation.form
        }
    }
}

/// Creates the instance of a registration in any form.
struct Autowired<T: Sendable>: Sendable {
    private let makeProduct: @Sendable (Product.Origin) -> T
    private let product: @Sendable (T) -> Product?
    let recipe: Program.Recipe
    let writing: Writing
    /// Registers an initializer.
    private let register: @Sendable (any Initializer<T>) -> any RegistrationConvertible

    init<Via, each Alias>(
        type: TypeOf<T, Via>, recipe: Program.Recipe, writing: Writing, aliases: (repeat (each Alias).Type)
    ) {
        makeProduct = type.make
        product = type.product
        self.recipe = recipe
        self.writing = writing
        register = { $0.registration(recipe, writing.name(recipe.key), as: repeat each aliases) }
    }

    func make(by resolve: Resolver, _ argument: Int? = nil) throws -> T {
        let dependencies = try recipe.dependencies.map { dependency in
            try writing.dependency(dependency).obtained(by: resolve, writing.name(dependency.key), UInt(recipe.number))
        }
        return try make(of: dependencies, argument)
    }

    func asyncMake(by resolve: Resolver) async throws -> T {
        await Task.yield()
        var dependencies: [() throws -> [Product?]] = []
        for dependency in recipe.dependencies {
            let request = ProgramRequest(
                resolve: resolve, key: dependency.key, name: writing.name(dependency.key), line: UInt(recipe.number))
            let isMissing = dependency.form == .optional && !request.isRegistered
            let product = isMissing ? nil : try await reportedTypes[dependency.key.type].sendAsync(request)
            dependencies.append { [product] }
        }
        return try make(of: dependencies, nil)
    }

    /// Adds the ends of the recipe to a registration of it.
    func closed<Form: _SharedOrScoped>(_ form: Form) -> Form where Form.Instance == T {
        recipe.ends.enumerated().reduce(form) { form, end in
            let (index, end) = end
            let close: @Sendable (T, String) throws -> Void = { value, text in
                let number = product(value).map { "#\($0.number)" } ?? "-"
                writing.world.note("r\(recipe.number) closes \(number), \(index), \(text)")
                if end.fails { throw Sabotage() }
            }
            return switch end.form {
            case .plain: form.onClose { value in try close(value, "") }
            case .withFailure: form.onClose { value, failure in try close(value, "\(failure is Sabotage)") }
            case .mainActor:
                form.onClose(mainActor: { value in
                    MainActor.assertIsolated()
                    try close(value, "main")
                })
            }
        }
    }

    func makeAlone() throws -> T { try make(of: [], nil) }

    fileprivate func make(of dependencies: [() throws -> [Product?]], _ argument: Int?) throws -> T {
        let groups = try dependencies.map { try $0() }
        try writing.world.fail(recipe)
        return makeProduct(
            Product.Origin(
                world: writing.world, maker: "r\(recipe.number)", lifetime: recipe.lifetime, groups: groups,
                argument: argument))
    }

    func registration<each P: Sendable>(_ dependencies: repeat DependencyOf<each P>) -> any RegistrationConvertible {
        register(InitializerOf<T, repeat each P>(maker: self, dependencies: (repeat each dependencies)))
    }

    var registrationWithoutDependencies: any RegistrationConvertible {
        register(InitializerOf<T>(maker: self, dependencies: ()))
    }
}

private protocol Initializer<T>: Sendable {
    associatedtype T
    func registration<each Alias>(
        _ recipe: Program.Recipe, _ name: RegistrationName?, as aliases: repeat (each Alias).Type
    ) -> any RegistrationConvertible
}

private struct InitializerOf<T: Sendable, each P: Sendable>: Initializer {
    let maker: Autowired<T>
    let dependencies: (repeat DependencyOf<each P>)

    private func call(_ values: repeat each P) throws -> T {
        let line = UInt(maker.recipe.number)
        var all: [() throws -> [Product?]] = []
        for (dependency, value) in repeat (each dependencies, each values) {
            all.append { try dependency.obtain(value, line) }
        }
        return try maker.make(of: all, nil)
    }

    func registration<each Alias>(
        _ recipe: Program.Recipe, _ name: RegistrationName?, as aliases: repeat (each Alias).Type
    ) -> any RegistrationConvertible {
        let (file, line) = ("Program.swift" as StaticString, UInt(recipe.number))
        let call: @Sendable (repeat each P) throws -> T = { (values: repeat each P) in
            try self.call(repeat each values)
        }
        return switch recipe.lifetime {
        case .shared:
            maker.closed(Shared(autowiring: call, name: name, as: repeat each aliases, file: file, line: line))
        case .scoped:
            maker.closed(Scoped(autowiring: call, name: name, as: repeat each aliases, file: file, line: line))
        case .weak: Weak(autowiring: call, name: name, as: repeat each aliases, file: file, line: line)
        case .graph: Graph(autowiring: call, name: name, as: repeat each aliases, file: file, line: line)
        case .new: New(autowiring: call, name: name, as: repeat each aliases, file: file, line: line)
        }
    }
}
