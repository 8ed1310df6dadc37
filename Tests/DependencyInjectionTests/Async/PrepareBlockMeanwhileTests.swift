import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

@Suite("Rule C11: what happens while a block is prepared")
struct PrepareBlockMeanwhileTests {
    @Test("what is decorated meanwhile is built again, so that nothing is lost")
    func decoratedMeanwhile() async throws {
        let (gate, began) = (Gate(), Counter())
        let container = DIContainer()
        let preparing = Task {
            try await container.prepare {
                Shared(async: { _ in
                    began.increment()
                    try await gate.wait()
                    return "\(began.count)"
                })
            }
        }
        #expect(await eventually { began.count == 1 })
        container.register(Decorate(String.self) { base, _ in "<\(base)>" })
        gate.open()
        try await preparing.value
        #expect(container.resolve(String.self) == "<2>")
    }

    @Test("what is registered and built meanwhile stays, though the builds made something of its predecessor")
    func registeredMeanwhile() async throws {
        let (gate, began) = (Gate(), Counter())
        let container = DIContainer {
            Shared(async: { _ in Diesel() }, as: (any Engine).self)
            Decorate((any Engine).self) { base, _ in Diesel(kind: "tuned \(base.kind)") }
        }
        let preparing = Task {
            try await container.prepare {
                Shared(async: { _ in Diesel(kind: "new") })
                Shared(async: { resolve in
                    let engine = try await resolve.async((any Engine).self)
                    began.increment()
                    try await gate.wait()
                    return engine.kind
                })
            }
        }
        #expect(await eventually { began.count == 1 })
        container.register(Shared(Diesel(kind: "other") as any Engine))
        let other = container.resolve((any Engine).self)
        gate.open()
        try await preparing.value
        #expect(isSame(container.resolve((any Engine).self), other) && other.kind == "tuned other")
        #expect(container.resolve(String.self) == "tuned new" && container.resolve(Diesel.self).kind == "new")
    }

    @Test("what the block only decorates is not put back if it is registered anew meanwhile")
    func replacedMeanwhile() async throws {
        let (gate, began) = (Gate(), Counter())
        let decorator = Module(Decorate(String.self) { base, _ in "<\(base)>" })
        let container = DIContainer { Shared("old") }
        let preparing = Task {
            try await container.prepare {
                decorator
                Shared(async: { _ in
                    began.increment()
                    try await gate.wait()
                    return began.count
                })
            }
        }
        #expect(await eventually { began.count == 1 })
        container.register {
            Shared("new")
            decorator
        }
        gate.open()
        try await preparing.value
        #expect(container.resolve(String.self) == "<new>" && container.resolve(Int.self) == 2)
    }

    @Test("a sealed container refuses before anything is built, and one that is sealed meanwhile afterwards")
    func sealed() async throws {
        let built = Counter()
        let sealed = DIContainer()
        sealed.seal()
        let line: UInt = #line + 2
        do {
            try await sealed.prepare { Shared(async: { _ in built.increment() }) }
            Issue.record("It was changed.")
        } catch let error as ResolutionError { #expect(error.reason == .sealed && error.line == line) }
        #expect(built.count == 0)

        let container = DIContainer { Shared(async: { _ in 0 }) }
        try await container.prepare()
        let later = await #expect(throws: ResolutionError.self) {
            try await container.prepare {
                Shared(async: { _ in
                    container.seal()
                    return 1
                })
            }
        }
        #expect(later?.reason == .sealed && container.resolve(Int.self) == 0)
    }

    @Test("if the task is cancelled, nothing changes")
    func cancelled() async throws {
        let (gate, began) = (Gate(), Counter())
        let container = DIContainer { Shared(async: { _ in 0 }) }
        try await container.prepare()
        let preparing = Task {
            try await container.prepare {
                Shared(async: { _ in
                    began.increment()
                    try await gate.wait()
                    return 1
                })
            }
        }
        #expect(await eventually { began.count == 1 })
        preparing.cancel()
        await #expect(throws: CancellationError.self) { try await preparing.value }
        gate.open()
        #expect(container.resolve(Int.self) == 0)
    }
}
