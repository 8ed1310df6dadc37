import DependencyInjection

// Calls of a provider without arguments in asynchronous code, which have crashed the optimizer of Swift 6.3 in release builds
// without whole-module optimization. LLVM's pass `PostOrderFunctionAttrsPass` crashed once the calls were inlined with an
// empty parameter pack.

final class Part: Sendable { let text = "part" }
typealias Make = Provider<Part>

struct Injected {
    @Inject var make: Make
    func call() async -> Part { make() }
    func callOrThrow() async throws -> Part { try make.orThrow() }
    func discard() async { _ = make() }
    func discardOrThrow() async throws { _ = try make.orThrow() }
}

enum Static {
    static let make: Make = DIContainer.resolve()
    static func call() async -> Part { make() }
    static func callOrThrow() async throws -> Part { try make.orThrow() }
    static func discard() async { _ = make() }
    static func discardOrThrow() async throws { _ = try make.orThrow() }
}

enum Parameter {
    static func call(_ make: Make) async -> Part { make() }
    static func callOrThrow(_ make: Make) async throws -> Part { try make.orThrow() }
    static func discard<Value>(_ value: Value, _ make: Make) async { _ = make() }
    static func discardOrThrow<Value>(_ value: Value, _ make: Make) async throws { _ = try make.orThrow() }
}

enum Local {
    static func call() async -> Part {
        let make: Make = DIContainer.resolve()
        return make()
    }
    static func callOrThrow() async throws -> Part {
        let make: Make = DIContainer.resolve()
        return try make.orThrow()
    }
    @concurrent static func callConcurrently() async throws -> [Part] {
        let make: Make = DIContainer.resolve()
        return [make(), try make.orThrow()]
    }
    static func pass(_ part: Part) async -> Part { part }
    static func callInArgument() async throws -> [Part] {
        let make: Make = DIContainer.resolve()
        return [await pass(make()), await pass(try make.orThrow())]
    }
    static func callInClosure() async throws -> [Part] {
        let make: Make = DIContainer.resolve()
        let call = { () async -> Part in make() }
        let callOrThrow = { () async throws -> Part in try make.orThrow() }
        return [await call(), try await callOrThrow()]
    }
}

@main enum Program {
    static func main() async throws {
        DIContainer.register(New { _ in Part() })
        let make: Make = DIContainer.resolve()
        await Injected().discard()
        try await Injected().discardOrThrow()
        await Static.discard()
        try await Static.discardOrThrow()
        await Parameter.discard(1, make)
        try await Parameter.discardOrThrow(1, make)
        var parts = try await [
            Injected().call(), Injected().callOrThrow(), Static.call(), Static.callOrThrow(),
            Parameter.call(make), Parameter.callOrThrow(make), Local.call(), Local.callOrThrow(),
        ]
        parts += try await Local.callConcurrently() + Local.callInArgument() + Local.callInClosure()
        precondition(parts.map(\.text) == Array(repeating: "part", count: 14))
        print("\(parts.count) asynchronous calls work with optimization.")
    }
}
