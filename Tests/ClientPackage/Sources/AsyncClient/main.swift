import DependencyInjection

// Calls of a provider without arguments in asynchronous code, which have crashed the optimizer of Swift 6.3 in release builds
// without whole-module optimization. LLVM's pass `PostOrderFunctionAttrsPass` crashed once the calls were inlined with an
// empty parameter pack.

final class Part: Sendable { let text = "part" }
typealias Make = Provider<Part>

struct Injected {
    @Inject var make: Make
    func call() async throws -> [Part] {
        _ = make()
        _ = try make.orThrow()
        return [make(), try make.orThrow()]
    }
}

enum Static {
    static let make: Make = DIContainer.resolve()
    static func callOnce() async -> Part { make() }
    static func call() async throws -> [Part] {
        _ = make()
        _ = try make.orThrow()
        return [make(), try make.orThrow()]
    }
}

enum Parameter {
    static func call<Value>(_ value: Value, _ make: Make) async throws -> [Part] {
        _ = make()
        _ = try make.orThrow()
        return [make(), try make.orThrow()]
    }
}

enum Local {
    static func callOnce() async -> Part {
        let make: Make = DIContainer.resolve()
        return make()
    }
    @concurrent static func call() async throws -> [Part] {
        let make: Make = DIContainer.resolve()
        _ = make()
        _ = try make.orThrow()
        return [make(), try make.orThrow()]
    }
    static func callInArgument() async throws -> [Part] {
        let make: Make = DIContainer.resolve()
        return try await Parameter.call(make(), make) + Parameter.call(make.orThrow(), make)
    }
    static func callInClosure() async throws -> [Part] {
        let make: Make = DIContainer.resolve()
        let call = { () async -> Part in make() }
        let callOrThrow = { () async throws -> Part in try make.orThrow() }
        return [await call(), try await callOrThrow()]
    }
}

DIContainer.register(New { _ in Part() })
var parts = try await Injected().call() + Static.call() + Parameter.call(1, DIContainer.resolve())
parts += try await Local.call() + Local.callInArgument() + Local.callInClosure()
parts += await [Static.callOnce(), Local.callOnce()]
precondition(parts.map(\.text) == Array(repeating: "part", count: 16))
print("\(parts.count) asynchronous calls work with optimization.")
