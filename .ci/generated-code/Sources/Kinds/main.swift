import DependencyInjection

// Runs each read twice: the first builds the instance, and the second reads the cached one.

let store = Store(title: "title")
let container = DIContainer {
    Shared(Store(title: "title"))
    Shared(Derived() as Base)
    Shared(Account())
    Shared(Store(title: "service") as any Service)
    Shared(Store(title: "screen") as any Screen)
    Shared(Store(title: "both") as any Screen & Named)
    Shared(Single(store: Store(title: "single")))
    Shared(Several(first: Store(title: "first"), second: "second", third: [3], fourth: Store(title: "fourth")))
    Shared(Weakly(store: store))
    Shared(Trivial(x: 1, y: 2))
    Shared(Choice.both(.store(Store(title: "choice")), .text("text")))
    Shared(Plain.second)
    Shared({ _ in { [store = Store(title: "closure")] in $0 + store.run() } as @Sendable (Int) -> Int })
    Shared({ _ in { [store = Store(title: "closure")] in store.run() } as @Sendable () async -> Int })
    Shared([Store(title: "element")])
    Shared(["key": Store(title: "value")])
    Shared([1, 2, 3] as Set<Int>)
    Shared("text that is too long for a small string")
    Shared("text that is too long for a small string".dropFirst())
    Shared((Store(title: "tuple"), "text that is too long for a small string"))
    Shared({ _ in
        let store = Store(title: "closures")
        return ({ store.run() }, { 1 + store.run() }) as (@Sendable () -> Int, @Sendable () -> Int)
    })
    Shared(Cell(1))
    Shared(Pair(first: Store(title: "pair"), second: 2))
    Shared(Result<Store, any Error>.success(Store(title: "result")))
    Shared(Failure(store: Store(title: "error")) as any Error)
    Shared(Several(first: store, second: "second", third: [3], fourth: store) as any Sendable)
    Shared(Cell(AnyHashableBox(value: "hashable")))
    Shared(\String.count as any KeyPath<String, Int> & Sendable)
    Shared(42)
    Shared(Derived.self as Base.Type)
    Shared(Store.self as any Service.Type)
    Shared(Store(title: "named"), name: "named")
    Shared("text that is too long for a small string", name: "named")
}

struct Failure: Error { let store: Store }

DIContainer.shared = container
for _ in 0..<2 {
    var sum = 0
    sum += readClass(container).run() + readSuperclass(container).run() + readExistential(container).run()
    sum += readClassExistential(container).title.count + readComposition(container).name.count
    sum += readSmallStruct(container).store.run() + readLargeStruct(container).run() + trivialStruct(container).x
    sum += (readWeakStruct(container).store?.run() ?? 0) + readClosure(container)(1) + readArray(container).count
    sum += await readAsyncClosure(container)() + readActor(container).balance
    if case .both = readEnum(container) { sum += 1 }
    if trivialEnum(container) == .second { sum += 1 }
    sum += readDictionary(container).count + readSet(container).count + readString(container).count
    sum += readSubstring(container).count + readTuple(container).0.run() + readTupleOfClosures(container).1()
    sum += (readOptional(container)?.run() ?? 0) + (readOptionalStruct(container)?.run() ?? 0)
    sum += readGenericClass(container).value + readGenericStruct(container).second
    sum += try readResult(container).get().run() + "\(readError(container))".count + "\(readAny(container))".count
    sum += "\(readAnyHashable(container).value.value)".count + "text"[keyPath: readKeyPath(container)]
    sum += trivialInt(container) + "\(trivialMetatype(container))".count
    sum += "\(trivialExistentialMetatype(container))".count
    sum += readNamed(container).run() + readNamedText(container).count + readStatic().run() + readStaticStruct().run()
    sum += readByType().run() + readByResolver(container.resolve).run()
    sum += try readThrowing(container.resolve.orThrow).run()
    sum += readUnspecialized(container, Store.self).run() + readPackElement(container, Several.self).0.run()
    sum += await readAsynchronously(container).run() + readClassAsynchronously().run() + readOnMainActor().count
    let owner = Owner()
    sum += owner.store.run() + owner.readLazily().run()
    print(sum)
}
