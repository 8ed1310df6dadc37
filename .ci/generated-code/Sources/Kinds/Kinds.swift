// Reads values of many kinds. `check` looks for the end of each read in the machine code of these functions.

import DependencyInjection

// MARK: Types

protocol Service: Sendable { func run() -> Int }
protocol Screen: AnyObject, Sendable { var title: String { get } }
protocol Named: Sendable { var name: String { get } }

final class Store: Service, Screen, Named {
    let title: String
    let name = "store"
    init(title: String) { self.title = title }
    func run() -> Int { title.count }
}

class Base: @unchecked Sendable { func run() -> Int { 1 } }
final class Derived: Base, @unchecked Sendable { override func run() -> Int { 2 } }

actor Account { var balance = 0 }

struct Single: Sendable { let store: Store }
struct Several: Service {
    let first: Store
    let second: String
    let third: [Int]
    let fourth: any Service
    func run() -> Int { first.run() + second.count + third.count + fourth.run() }
}
struct Trivial: Sendable { let x: Int, y: Int }
struct Weakly: Sendable { weak let store: Store? }

enum Choice: Sendable {
    case none
    case store(Store)
    case text(String)
    indirect case both(Choice, Choice)
}
enum Plain: Sendable { case first, second }

final class Cell<Value: Sendable>: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
struct Pair<First: Sendable, Second: Sendable>: Sendable {
    let first: First
    let second: Second
}

// MARK: Reads

// Each function reads once and returns the value. So a copy after the end of the read is a fault of the library. If the
// value has no references, the name of the function begins with `trivial`.

@inline(never) func readClass(_ container: DIContainer) -> Store { container.resolve() }
@inline(never) func readSuperclass(_ container: DIContainer) -> Base { container.resolve() }
@inline(never) func readActor(_ container: DIContainer) -> Account { container.resolve() }
@inline(never) func readExistential(_ container: DIContainer) -> any Service { container.resolve() }
@inline(never) func readClassExistential(_ container: DIContainer) -> any Screen { container.resolve() }
@inline(never) func readComposition(_ container: DIContainer) -> any Screen & Named { container.resolve() }
@inline(never) func readSmallStruct(_ container: DIContainer) -> Single { container.resolve() }
@inline(never) func readLargeStruct(_ container: DIContainer) -> Several { container.resolve() }
@inline(never) func readWeakStruct(_ container: DIContainer) -> Weakly { container.resolve() }
@inline(never) func trivialStruct(_ container: DIContainer) -> Trivial { container.resolve() }
@inline(never) func readEnum(_ container: DIContainer) -> Choice { container.resolve() }
@inline(never) func trivialEnum(_ container: DIContainer) -> Plain { container.resolve() }
@inline(never) func readClosure(_ container: DIContainer) -> @Sendable (Int) -> Int { container.resolve() }
@inline(never) func readAsyncClosure(_ container: DIContainer) -> @Sendable () async -> Int { container.resolve() }
@inline(never) func readArray(_ container: DIContainer) -> [Store] { container.resolve() }
@inline(never) func readDictionary(_ container: DIContainer) -> [String: Store] { container.resolve() }
@inline(never) func readSet(_ container: DIContainer) -> Set<Int> { container.resolve() }
@inline(never) func readString(_ container: DIContainer) -> String { container.resolve() }
@inline(never) func readSubstring(_ container: DIContainer) -> Substring { container.resolve() }
@inline(never) func readTuple(_ container: DIContainer) -> (Store, String) { container.resolve() }
@inline(never) func readTupleOfClosures(
    _ container: DIContainer
) -> (@Sendable () -> Int, @Sendable () -> Int) { container.resolve() }
@inline(never) func readOptional(_ container: DIContainer) -> Store? { container.resolve() }
@inline(never) func readOptionalStruct(_ container: DIContainer) -> Several? { container.resolve() }
@inline(never) func readGenericClass(_ container: DIContainer) -> Cell<Int> { container.resolve() }
@inline(never) func readGenericStruct(_ container: DIContainer) -> Pair<Store, Int> { container.resolve() }
@inline(never) func readResult(_ container: DIContainer) -> Result<Store, any Error> { container.resolve() }
@inline(never) func readError(_ container: DIContainer) -> any Error { container.resolve() }
@inline(never) func readAny(_ container: DIContainer) -> any Sendable { container.resolve() }
@inline(never) func readAnyHashable(_ container: DIContainer) -> Cell<AnyHashableBox> { container.resolve() }
@inline(never) func readKeyPath(_ container: DIContainer) -> any KeyPath<String, Int> & Sendable {
    container.resolve()
}
@inline(never) func trivialInt(_ container: DIContainer) -> Int { container.resolve() }
@inline(never) func trivialMetatype(_ container: DIContainer) -> Base.Type { container.resolve() }
@inline(never) func trivialExistentialMetatype(_ container: DIContainer) -> any Service.Type { container.resolve() }

struct AnyHashableBox: @unchecked Sendable { let value: AnyHashable }

// Reads through other handles.

@inline(never) func readNamed(_ container: DIContainer) -> Store { container.resolve(name: "named") }
@inline(never) func readNamedText(_ container: DIContainer) -> String { container.resolve(name: "named") }
@inline(never) func readStatic() -> Store { DIContainer.resolve() }
@inline(never) func readStaticStruct() -> Several { DIContainer.resolve() }
@inline(never) func readByType() -> any Service { DIContainer.resolve((any Service).self) }
@inline(never) func readByResolver(_ resolve: Resolver) -> Several { resolve() }
@inline(never) func readThrowing(_ resolve: ThrowingResolver) throws -> Several { try resolve() }
@_semantics("optimize.sil.specialize.generic.never")
@inline(never) func readUnspecialized<Value>(_ container: DIContainer, _ type: Value.Type) -> Value {
    container.resolve()
}
@inline(never) func readPackElement<Value>(_ container: DIContainer, _ type: Value.Type) -> (Value, Value) {
    (container.resolve(), container.resolve())
}
@inline(never) func readAsynchronously(_ container: DIContainer) async -> Several {
    await Task.yield()
    return container.resolve()
}
@inline(never) func readClassAsynchronously() async -> Store {
    await Task.yield()
    return DIContainer.resolve()
}
@MainActor @inline(never) func readOnMainActor() async -> [Store] {
    await Task.yield()
    return DIContainer.resolve()
}

struct Owner {
    @Inject var store: Store
    @LazyInject var several: Several
    @inline(never) init() {}
    @inline(never) func readLazily() -> Several { several }
}
