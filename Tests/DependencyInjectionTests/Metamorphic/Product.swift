import DependencyInjection
import Foundation

// The products of a program's factories and decorators.

protocol Red: Sendable {}
protocol Blue: Sendable {}
protocol ViaApple: Sendable {}
protocol ViaBerry: Sendable {}
protocol ViaCherry: Sendable {}
protocol ViaRed: Sendable {}
protocol ViaBlue: Sendable {}

/// Records how it was built, and its release.
class Product: Red, Blue, ViaRed, ViaBlue, @unchecked Sendable {  // Everything in it is constant.
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
    let origin: Origin

    required init(_ origin: Origin) {
        self.origin = origin
        home = World.current
        number = origin.world.number(for: origin, in: home)
        origin.world.track(self)
    }

    deinit { origin.world.noteRelease(of: number) }

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

final class Apple: Product, ViaApple, @unchecked Sendable {}  // As `Product`.
final class Berry: Product, ViaBerry, @unchecked Sendable {}  // As `Product`.
final class Cherry: Product, ViaCherry, @unchecked Sendable {}  // As `Product`.

/// Detects work on the main queue, which any thread may drain.
enum OnMain {
    private static let key = "runs on the main queue"

    static var isCurrent: Bool { Foundation.Thread.current.threadDictionary[key] != nil }

    static func run<Result>(_ work: () throws -> Result) rethrows -> Result {
        Foundation.Thread.current.threadDictionary[key] = true
        defer { Foundation.Thread.current.threadDictionary[key] = nil }
        return try work()
    }
}

/// Identifies the current container.
struct Marker: Sendable { let container: Int }

/// Records the events of one run of a program.
final class World: Sendable {
    private let log = Locked<[String]>([])
    private let numbers = Counter()
    private let releases = Counter()
    private let failures = Locked<[Int: Int]>([:])
    private let tasks = Locked<[(number: Int, task: Task<String, Never>)]>([])
    private let held = Locked<[Product?]>([])
    private let tracked = Locked<[WeakProduct]>([])
    /// Whether each factory begins a task, which records the current container.
    let startsTasks: Bool
    /// Whether ``products`` are listed.
    let isTracking: Bool

    init(startsTasks: Bool, isTracking: Bool = false) {
        self.startsTasks = startsTasks
        self.isTracking = isTracking
    }

    /// The number of instances.
    var living: Int { numbers.count - releases.count }
    /// The number of the last instance.
    var lastNumber: Int { numbers.count }

    private struct WeakProduct { weak var product: Product? }

    /// The living products, in the order of construction.
    var products: [Product] {
        // Released outside the lock.
        let all = tracked.withLock { tracked in
            tracked.removeAll { $0.product == nil }
            return tracked.compactMap(\.product)
        }
        return all
    }

    func track(_ product: Product) {
        if isTracking { tracked.withLock { $0.append(WeakProduct(product: product)) } }
    }

    func noteRelease(of number: Int) {
        note("release #\(number)")
        releases.increment()
    }

    func note(_ line: String) { log.withLock { $0.append(line) } }

    /// The lines since the last call.
    func takeLines() -> [String] {
        log.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }

    static var current: String {
        do { return "c\(try DIContainer.resolve.orThrow(Marker.self).container)" } catch {
            return error.reason.description
        }
    }

    func number(for origin: Product.Origin, in home: String) -> Int {
        let number = numbers.increment()
        let thread = OnMain.isCurrent ? ", main" : ""
        let parts = ([origin.base] + origin.dependencies).map { $0.map { "#\($0.number)" } ?? "-" }
        note("\(origin.maker) makes #\(number) of \(parts.joined(separator: " ")) in \(home)\(thread)")
        // An uncached instance is built in the caller's scope (C7), and so are the tasks that it begins.
        if startsTasks, origin.lifetime != .new, origin.lifetime != .graph {
            tasks.withLock { $0.append((number, Task { Self.current })) }
        }
        return number
    }

    /// The current containers in the tasks that factories began since the last call.
    func takeTasks() async -> [String] {
        let tasks = tasks.withLock { tasks in
            defer { tasks = [] }
            return tasks
        }
        var lines: [String] = []
        for (number, task) in tasks { lines.append("task of #\(number) in \(await task.value)") }
        return lines
    }

    /// Throws if the factory is still to fail.
    func fail(_ recipe: Program.Recipe) throws {
        let count = failures.withLock { failures in
            failures[recipe.number, default: 0] += 1
            return failures[recipe.number]!
        }
        if count <= recipe.failures {
            note("r\(recipe.number) fails")
            throw Sabotage()
        }
    }

    func hold(_ product: Product?) { held.withLock { $0.append(product) } }

    func letGo() {
        // One after the other, since a release takes locks here.
        let all = held.withLock { held in
            defer { held = [] }
            return held
        }
        withExtendedLifetime(all) {}
    }
}
