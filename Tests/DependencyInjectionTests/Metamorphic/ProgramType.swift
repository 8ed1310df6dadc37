import DependencyInjection

/// A type that programs register and request.
protocol ProgramType: Sendable {
    var name: String { get }
    var type: any Any.Type { get }

    func registration(_ recipe: Program.Recipe, _ writing: Writing) -> any RegistrationConvertible
    func decorator(_ decorator: Program.Decorator, _ writing: Writing) -> Decorate
    func declaration(_ name: RegistrationName?) -> ProvidedByChild
    func isRegistered(_ name: RegistrationName?, in container: DIContainer) -> Bool
    func dependency(_ form: Program.Dependency.Form) -> any DependencyType
    func unregister(_ name: RegistrationName?, in container: DIContainer)
    func send(_ request: ProgramRequest) throws -> Product?
    func sendAsync(_ request: ProgramRequest) async throws -> Product?
}

/// The types of programs: classes first, and then the protocols.
let programTypes: [any ProgramType] = [
    TypeOf<Apple, any ViaApple>("Apple", { Apple($0) }, { $0 }, { $0 as? Product }),
    TypeOf<Berry, any ViaBerry>("Berry", { Berry($0) }, { $0 }, { $0 as? Product }),
    TypeOf<Cherry, any ViaCherry>("Cherry", { Cherry($0) }, { $0 }, { $0 as? Product }),
    TypeOf<any Red, any ViaRed>("any Red", { Product($0) }, { $0 as? Product }, { $0 as? Product }),
    TypeOf<any Blue, any ViaBlue>("any Blue", { Product($0) }, { $0 as? Product }, { $0 as? Product }),
]
let firstProtocolType = 3

/// The types of programs whose reports are checked: two more have one name.
let reportedTypes = programTypes + [firstGhost, secondGhost]

private let firstGhost: any ProgramType = {
    final class Ghost: Product, @unchecked Sendable {}  // As `Product`.
    return TypeOf<Ghost, any ViaApple>("the first Ghost", { Ghost($0) }, { $0 }, { $0 as? Product })
}()

private let secondGhost: any ProgramType = {
    final class Ghost: Product, @unchecked Sendable {}  // As `Product`.
    return TypeOf<Ghost, any ViaApple>("the second Ghost", { Ghost($0) }, { $0 }, { $0 as? Product })
}()

/// The author and the form of a program's statements.
struct Writing: Sendable {
    let world: World
    let variation: MetamorphicVariation

    func name(_ key: Program.Key) -> RegistrationName? {
        key.isNamed ? "n" : variation.names ? "u" : nil
    }

    func dependency(_ dependency: Program.Dependency) -> any DependencyType {
        reportedTypes[dependency.key.type].dependency(dependency.form)
    }
}

struct TypeOf<T: Sendable, Via: Sendable>: ProgramType {
    let name: String
    let make: @Sendable (Product.Origin) -> T
    let product: @Sendable (T) -> Product?
    let productVia: @Sendable (Via) -> Product?

    init(
        _ name: String, _ make: @escaping @Sendable (Product.Origin) -> T,
        _ product: @escaping @Sendable (T) -> Product?,
        _ productVia: @escaping @Sendable (Via) -> Product?
    ) {
        self.name = name
        self.make = make
        self.product = product
        self.productVia = productVia
    }

    var type: any Any.Type { T.self }

    func declaration(_ name: RegistrationName?) -> ProvidedByChild { ProvidedByChild(T.self, name: name) }

    func unregister(_ name: RegistrationName?, in container: DIContainer) {
        container.unregister(T.self, name: name)
        container.unregister(Via.self, name: name)
    }

    func dependency(_ form: Program.Dependency.Form) -> any DependencyType {
        switch form {
        case .plain: DependencyOf<T>(obtain: { [product] value, _ in [product(value)] })
        case .optional: DependencyOf<T?>(obtain: { [product] value, _ in [value.flatMap { product($0) }] })
        case .provider:
            DependencyOf<Provider<T>>(
                obtain: { [product] value, line in [product(try value.orThrow(file: "Program.swift", line: line))] })
        case .optionalProvider:
            DependencyOf<Provider<T>?>(
                obtain: { [product] value, line in
                    [try value.flatMap { product(try $0.orThrow(file: "Program.swift", line: line)) }]
                })
        case .all: DependencyOf<All<T>>(obtain: { [product] value, _ in value.map { product($0) } })
        }
    }

    func decorator(_ decorator: Program.Decorator, _ writing: Writing) -> Decorate {
        let (make, product, line) = (make, product, UInt(decorator.number))
        let decorate: @Sendable (T, Resolver) throws -> T = { base, resolve in
            let dependencies = try decorator.dependencies.map { dependency in
                try writing.dependency(dependency).obtained(by: resolve, writing.name(dependency.key), line)
            }
            let base = product(base)
            let groups = try dependencies.map { try $0() }
            return make(
                Product.Origin(
                    world: writing.world, maker: "d\(decorator.number)", lifetime: base?.origin.lifetime, base: base,
                    groups: groups))
        }
        let name = writing.name(decorator.key)
        return decorator.isMainActor
            ? Decorate(T.self, name: name, file: "Program.swift", line: line, mainActor: { try decorate($0, $1) })
            : Decorate(T.self, name: name, file: "Program.swift", line: line, decorate)
    }
}

/// A type that a factory requests.
protocol DependencyType: Sendable {
    /// Resolves the type, and returns a function that describes the result. A provider is called only by that function.
    func obtained(by resolve: Resolver, _ name: RegistrationName?, _ line: UInt) throws -> () throws -> [Product?]

    /// Creates an initializer that takes this after the others, and then the rest.
    func autowired<T, each Before: Sendable>(
        _ maker: Autowired<T>, rest: ArraySlice<any DependencyType>, after before: repeat DependencyOf<each Before>
    ) -> any RegistrationConvertible
}

struct DependencyOf<P: Sendable>: DependencyType {
    /// Returns one product or nil, or the products of a collection.
    let obtain: @Sendable (P, UInt) throws -> [Product?]

    func obtained(by resolve: Resolver, _ name: RegistrationName?, _ line: UInt) throws -> () throws -> [Product?] {
        let value = try resolve.orThrow(P.self, name: name, file: "Program.swift", line: line)
        return { try obtain(value, line) }
    }

    func autowired<T, each Before: Sendable>(
        _ maker: Autowired<T>, rest: ArraySlice<any DependencyType>, after before: repeat DependencyOf<each Before>
    ) -> any RegistrationConvertible {
        guard let next = rest.first else { return maker.registration(repeat each before, self) }
        return next.autowired(maker, rest: rest.dropFirst(), after: repeat each before, self)
    }
}
