import DependencyInjection
import Foundation

/// A type that programs register and request.
protocol ProgramType: Sendable {
    associatedtype T: Sendable
    /// An additional alias, which no program names.
    associatedtype Via: Sendable

    var name: String { get }
    var make: @Sendable (Product.Origin) -> T { get }
}

struct TypeOf<T: Sendable, Via: Sendable>: ProgramType {
    let name: String
    let make: @Sendable (Product.Origin) -> T
}

/// The types of programs: classes first, and then the protocols.
let programTypes: [any ProgramType] = [
    TypeOf<Fruit<Int>, Product>(name: "Fruit<Int>") { Fruit($0) },
    TypeOf<Fruit<Bool>, any Red & AnyObject>(name: "Fruit<Bool>") { Fruit($0) },
    TypeOf<Fruit<String>, any Blue & AnyObject>(name: "Fruit<String>") { Fruit($0) },
    TypeOf<any Red, any Red & Blue>(name: "any Red") { Product($0) },
    TypeOf<any Blue, any Red & Blue & AnyObject>(name: "any Blue") { Product($0) },
]
let firstProtocolType = 3

/// The types of programs whose reports are checked: two more have one name.
let reportedTypes = programTypes + [firstGhost, secondGhost]

private let firstGhost: any ProgramType = {
    final class Ghost: Product, @unchecked Sendable {}  // As `Product`.
    return TypeOf<Ghost, Product>(name: "the first Ghost") { Ghost($0) }
}()

private let secondGhost: any ProgramType = {
    final class Ghost: Product, @unchecked Sendable {}  // As `Product`.
    return TypeOf<Ghost, Product>(name: "the second Ghost") { Ghost($0) }
}()

/// The author and the form of a program's statements.
struct Writing: Sendable {
    let world: World
    let variation: MetamorphicVariation

    func name(_ key: Program.Key) -> RegistrationName? {
        key.isNamed ? "n" : variation.names ? "u" : nil
    }

    /// Resolves dependencies, and calls the providers when all are resolved.
    func products(of dependencies: [Program.Dependency], by resolve: Resolver, _ line: UInt) throws -> [[Product?]] {
        let obtained = try dependencies.map { dependency in
            try dependency.type.obtained(by: resolve, name(dependency.key), line)
        }
        return try obtained.map { try $0() }
    }

    func written(_ statement: Program.Statement) -> any RegistrationConvertible {
        switch statement {
        case .register(let recipe): reportedTypes[recipe.key.type].registration(recipe, self)
        case .decorate(let decorator): reportedTypes[decorator.key.type].decorator(decorator, self)
        case .expect(let key): ProvidedByChild(reportedTypes[key.type].type, name: name(key))
        }
    }

    /// Changes a container as a step does. Other steps change nothing.
    func change(_ container: DIContainer, by step: Program.Step) {
        switch step.action {
        case .add(let statement): container.register { Module(written(statement)) }
        case .unregister(let key):
            for type in reportedTypes[key.type].registeredTypes { container.unregister(type, name: name(key)) }
        case .reset:
            container.reset()
            container.register(New { _ in Ticket(number: step.container) })
        case .resetInstances: container.resetInstances()
        case .request, .requestMembers, .close, .drop: break
        }
    }
}

extension ProgramType {
    var type: any Any.Type { T.self }
    /// The type and the additional alias.
    var registeredTypes: [any Any.Type] { [T.self, Via.self] }

    func dependency(_ form: Program.Dependency.Form) -> any DependencyType {
        switch form {
        case .plain: DependencyOf<T> { value, _ in [value as? Product] }
        case .optional: DependencyOf<T?> { value, _ in [value as? Product] }
        case .provider:
            DependencyOf<Provider<T>> { value, line in
                [try value.orThrow(file: "Program.swift", line: line) as? Product]
            }
        case .optionalProvider:
            DependencyOf<Provider<T>?> { value, line in
                [try value?.orThrow(file: "Program.swift", line: line) as? Product]
            }
        case .all: DependencyOf<All<T>> { value, _ in value.map { $0 as? Product } }
        }
    }

    func decorator(_ decorator: Program.Decorator, _ writing: Writing) -> Decorate {
        let (make, line) = (make, UInt(decorator.number))
        let decorate: @Sendable (T, Resolver) throws -> T = { base, resolve in
            let base = base as? Product
            return make(
                Product.Origin(
                    world: writing.world, maker: "d\(decorator.number)", lifetime: base?.origin.lifetime, base: base,
                    groups: try writing.products(of: decorator.dependencies, by: resolve, line)))
        }
        let name = writing.name(decorator.key)
        return decorator.isMainActor
            ? Decorate(T.self, name: name, file: "Program.swift", line: line, mainActor: { try decorate($0, $1) })
            : Decorate(T.self, name: name, file: "Program.swift", line: line, decorate)
    }
}

extension Program.Dependency {
    var type: any DependencyType { reportedTypes[key.type].dependency(form) }
}

/// A type that a factory requests.
protocol DependencyType: Sendable {
    associatedtype P: Sendable

    /// Returns one product or nil, or the products of a collection.
    var obtain: @Sendable (P, UInt) throws -> [Product?] { get }
}

struct DependencyOf<P: Sendable>: DependencyType {
    let obtain: @Sendable (P, UInt) throws -> [Product?]
}

extension DependencyType {
    /// Resolves the type, and returns a function that describes the result. A provider is called only by that function.
    func obtained(by resolve: Resolver, _ name: RegistrationName?, _ line: UInt) throws -> () throws -> [Product?] {
        let value = try resolve.orThrow(P.self, name: name, file: "Program.swift", line: line)
        return { try obtain(value, line) }
    }

    /// Creates a registration with an initializer that takes the rest, this and then the others.
    func registration<T, Form: _LifetimeRegistration & _SafeRegistration, each Alias, each Other: Sendable>(
        _ form: Form.Type, of maker: Maker<T>, as aliases: repeat (each Alias).Type,
        rest: ArraySlice<any DependencyType>, before others: repeat DependencyOf<each Other>
    ) -> Form where Form.Instance == T {
        if let last = rest.last {
            return last.registration(
                form, of: maker, as: repeat each aliases, rest: rest.dropLast(),
                before: DependencyOf(obtain: obtain), repeat each others)
        }
        let make: @Sendable (P, repeat each Other) throws -> T = { (value: P, values: repeat each Other) in
            var groups = [try obtain(value, maker.line)]
            for (dependency, value) in repeat (each others, each values) {
                groups.append(try dependency.obtain(value, maker.line))
            }
            return try maker.make(of: groups)
        }
        return Form(
            autowiring: make, name: maker.name, as: repeat each aliases, file: "Program.swift", line: maker.line)
    }
}

extension ProgramType {
    func registration(_ recipe: Program.Recipe, _ writing: Writing) -> any RegistrationConvertible {
        // The additional alias leads wherever the type does.
        let hasVia = writing.variation.handles != nil
        let maker = Maker(makeProduct: make, recipe: recipe, writing: writing)
        let registration =
            switch (recipe.alias, hasVia) {
            case (nil, false): maker.registration(as: T.self)
            case (nil, true): maker.registration(as: T.self, Via.self)
            case (firstProtocolType, false): maker.registration(as: T.self, (any Red).self)
            case (firstProtocolType, true): maker.registration(as: T.self, (any Red).self, Via.self)
            case (_, false): maker.registration(as: T.self, (any Blue).self)
            case (_, true): maker.registration(as: T.self, (any Blue).self, Via.self)
            }
        guard var form = registration as? any _LifetimeRegistration else { return registration }
        if let collection = recipe.collection {
            form = collection == firstProtocolType ? form.into((any Red).self) : form.into((any Blue).self)
        }
        return recipe.isMember || writing.variation.contributes ? form.into((any Sendable).self) : form
    }
}

// The registration in the form that a variation requires.
extension Maker {
    fileprivate var name: RegistrationName? { writing.name(recipe.key) }
    private var file: StaticString { "Program.swift" }
    fileprivate var line: UInt { UInt(recipe.number) }

    /// The form in which a registration can be written: an initializer has no names, and a value no dependencies.
    private var form: MetamorphicVariation.Form {
        let needsNames = writing.variation.names || recipe.dependencies.contains { $0.key.isNamed }
        switch writing.variation.form {
        case .asWritten: return recipe.isAutowired && !needsNames ? .autowired : .closure
        case .autowired where needsNames: return .closure
        case .value where !recipe.dependencies.isEmpty: return .closure
        default: return writing.variation.form
        }
    }

    func registration<each Alias>(as aliases: repeat (each Alias).Type) -> any RegistrationConvertible {
        let asyncMake: @Sendable (Resolver) async throws -> T = { try await self.asyncMake(by: $0) }
        return switch (recipe.manner, recipe.lifetime) {
        case (.async, .shared):
            closed(Shared(async: asyncMake, name: name, as: repeat each aliases, file: file, line: line))
        case (.async, _):
            closed(Scoped(async: asyncMake, name: name, as: repeat each aliases, file: file, line: line))
        case (_, .shared): closed(written(Shared<T>.self, as: repeat each aliases))
        case (_, .scoped): closed(written(Scoped<T>.self, as: repeat each aliases))
        case (_, .weak): written(Weak<T>.self, as: repeat each aliases)
        case (_, .graph): written(Graph<T>.self, as: repeat each aliases)
        case (_, .new): written(New<T>.self, as: repeat each aliases)
        }
    }

    private func written<Form: _LifetimeRegistration & _SafeRegistration, each Alias>(
        _: Form.Type, as aliases: repeat (each Alias).Type
    ) -> Form where Form.Instance == T {
        let make: @Sendable (Resolver) throws -> T = { try self.make(by: $0) }
        if recipe.manner == .mainActor {
            let make: @MainActor @Sendable (Resolver) throws -> T = { try self.make(by: $0) }
            return Form(mainActor: make, name: name, as: repeat each aliases, file: file, line: line)
        }
        if recipe.takesArgument {
            let make: @Sendable (Resolver, Int) throws -> T = { try self.make(by: $0, $1) }
            return Form(make, name: name, as: repeat each aliases, file: file, line: line)
        }
        let dependencies = recipe.dependencies.map(\.type)
        return switch form {
        case .autowired:
            if let last = dependencies.last {
                last.registration(Form.self, of: self, as: repeat each aliases, rest: dependencies.dropLast())
            } else {
                Form(
                    autowiring: { () throws in try self.make(of: []) }, name: name, as: repeat each aliases, file: file,
                    line: line)
            }
        case .value: Form(try self.make(of: []), name: name, as: repeat each aliases, file: file, line: line)
        case .trailing: Form(name: name, as: repeat each aliases, file: file, line: line, factory: make)
        case .asWritten, .closure: Form(make, name: name, as: repeat each aliases, file: file, line: line)
        }
    }
}

/// Creates the instance of a registration in any form.
struct Maker<T: Sendable>: Sendable {
    let makeProduct: @Sendable (Product.Origin) -> T
    let recipe: Program.Recipe
    let writing: Writing

    func make(by resolve: Resolver, _ argument: Int? = nil) throws -> T {
        try make(of: writing.products(of: recipe.dependencies, by: resolve, UInt(recipe.number)), argument)
    }

    func asyncMake(by resolve: Resolver) async throws -> T {
        // Some take long, so that other threads change the container meanwhile.
        for _ in 0...recipe.number % 4 * 10 { await Task.yield() }
        var groups: [[Product?]] = []
        for dependency in recipe.dependencies {
            var request = ProgramRequest(
                resolve: resolve, key: dependency.key, name: writing.name(dependency.key), line: UInt(recipe.number))
            if dependency.form == .optional { request.handle = .optional }
            groups.append([try await reportedTypes[dependency.key.type].sendAsync(request)])
        }
        return try make(of: groups)
    }

    /// Adds the ends of the recipe to a registration of it.
    func closed<Form: _SharedOrScoped>(_ form: Form) -> Form where Form.Instance == T {
        recipe.ends.enumerated().reduce(form) { form, end in
            let (index, end) = end
            let close: @Sendable (T, String) throws -> Void = { value, text in
                let number = (value as? Product).map { "#\($0.number)" } ?? "-"
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

    fileprivate func make(of groups: [[Product?]], _ argument: Int? = nil) throws -> T {
        let world = writing.world
        let count = world.builds.withLock { builds in
            builds[recipe.number, default: 0] += 1
            return builds[recipe.number]!
        }
        if count <= recipe.failures {
            world.note("r\(recipe.number) fails")
            throw Sabotage()
        }
        return makeProduct(
            Product.Origin(
                world: world, maker: "r\(recipe.number)", lifetime: recipe.lifetime, groups: groups,
                argument: argument))
    }
}

// The products of a program's factories and decorators.

protocol Red: Sendable {}
protocol Blue: Sendable {}

/// Records how it was built, and its release.
class Product: Red, Blue, @unchecked Sendable {  // Constant until it is released.
    struct Origin {
        let world: World
        let maker: String
        let lifetime: Program.Lifetime?
        var base: Product?
        /// The products of each dependency.
        var groups: [[Product?]] = []
        var argument: Int?

        var dependencies: [Product?] { Array(groups.joined()) }
    }

    let number: Int
    /// The container that was current.
    let home: String
    private(set) var origin: Origin

    required init(_ origin: Origin) {
        self.origin = origin
        home = World.current
        let world = origin.world
        number = world.numbers.increment()
        let thread = World.isOnMain ? ", main" : ""
        let parts = ([origin.base] + origin.dependencies).map { $0.map { "#\($0.number)" } ?? "-" }
        world.note("\(origin.maker) makes #\(number) of \(parts.joined(separator: " ")) in \(home)\(thread)")
        // An uncached instance is built in the caller's scope (C7), and so are the tasks that it begins.
        if world.startsTasks, origin.lifetime != .new, origin.lifetime != .graph {
            let task = Task { [number] in "task of #\(number) in \(World.current)" }
            world.tasks.withLock { $0.append(task) }
        }
        world.tracked.withLock { $0.append(Reference(self, isWeak: true)) }
    }

    deinit {
        let world = origin.world
        world.note("release #\(number)")
        for work in world.releaseWork.current { work(number) }
        world.releases.increment()
        // Without this, an optimized build releases the properties in any order.
        origin.base = nil
        origin.groups = []
    }

    /// The product, the wrapped product and the dependencies, as text.
    var structure: String {
        var text = "#\(number) \(origin.maker)"
        if let argument = origin.argument { text += "(\(argument))" }
        if let base = origin.base { text += " of {\(base.structure)}" }
        if !origin.dependencies.isEmpty {
            text += " with [" + origin.dependencies.map { $0?.structure ?? "nil" }.joined(separator: ", ") + "]"
        }
        return text
    }

    /// The lifetimes of all that it is made of.
    var lifetimes: Set<Program.Lifetime> {
        let parts = origin.dependencies.compactMap { $0 } + (origin.base.map { [$0] } ?? [])
        return parts.reduce(into: Set(origin.lifetime.map { [$0] } ?? [])) { $0.formUnion($1.lifetimes) }
    }
}

/// A product with a type of its own for each type argument.
final class Fruit<Kind>: Product, @unchecked Sendable {}  // As `Product`.

/// Records the events of one run of a program.
final class World: Sendable {
    /// Whether the work is on the main queue, which any thread may drain. Tasks that it begins inherit this.
    @TaskLocal static var isOnMain = false

    /// The actions of factories and handlers, and the releases.
    let lines = Locked<[String]>([])
    let numbers = Counter()
    fileprivate let releases = Counter()
    /// The number of builds of each registration.
    let builds = Locked<[Int: Int]>([:])
    /// The tasks that factories have begun, which return their current container as a line.
    let tasks = Locked<[Task<String, Never>]>([])
    /// The results of requests that live until the end.
    let held = Locked<[Product?]>([])
    fileprivate let tracked = Locked<[Reference<Product>]>([])
    /// Work of the `deinit` of each product, with its number. Each access would wrap a function that the lock stores
    /// itself, so after thousands of accesses a call would overflow the stack. Elements of an array aren't wrapped.
    let releaseWork = Locked<[@Sendable (Int) -> Void]>([])
    /// Whether each factory begins a task, which records the current container.
    let startsTasks: Bool

    init(startsTasks: Bool) { self.startsTasks = startsTasks }

    /// The number of instances.
    var living: Int { numbers.count - releases.count }
    /// The number of the last instance.
    var lastNumber: Int { numbers.count }

    /// The living products, in the order of construction.
    var products: [Product] {
        // Released outside the lock.
        let all = tracked.withLock { tracked in
            tracked.removeAll { $0.object == nil }
            return tracked.compactMap(\.object)
        }
        return all
    }

    func note(_ line: String) { lines.withLock { $0.append(line) } }

    /// The current container, which a ticket marks with its index.
    static var current: String {
        do { return "c\(try DIContainer.resolve.orThrow(Ticket.self).number)" } catch {
            return error.reason.description
        }
    }

    /// Releases the results that are held.
    func letGo() {
        // One after the other, since a release takes locks here.
        withExtendedLifetime(held.takeAll()) {}
    }
}
