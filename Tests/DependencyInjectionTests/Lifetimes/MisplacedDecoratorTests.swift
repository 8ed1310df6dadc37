import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("Rule 17: a decorator wraps a registration of its own container")
struct MisplacedDecoratorTests {
    private final class Framed: Engine {
        let base: any Engine
        init(_ base: any Engine) { self.base = base }
        var kind: String { "framed \(base.kind)" }
    }

    private static let frameLine: UInt = #line + 2
    /// A new decorator for each access.
    private static var frame: Decorate { Decorate((any Engine).self) { base, _ in Framed(base) } }

    private static let registrations: [Module] = [
        Module(Shared(Diesel() as any Engine)), Module(New(Diesel() as any Engine)),
        Module(Scoped(Diesel() as any Engine)), Module(Weak(Diesel() as any Engine)),
        Module(Graph(Diesel() as any Engine)), Module(Shared(async: { _ in Diesel() as any Engine })),
        Module(Shared(Diesel(), as: (any Engine).self)),
    ]

    @Test("In a child, decorating a type that only a parent registers is an error", arguments: registrations)
    func misplaced(_ registration: Module) async throws {
        let parent = DIContainer { registration }
        let child = parent.makeChild { Self.frame }
        try await parent.prepare()
        for container in [child, child.makeChild()] {
            for optional in [false, true] {
                let error = #expect(throws: ResolutionError.self) {
                    if optional {
                        _ = try container.resolve.orThrow((any Engine)?.self)
                    } else {
                        _ = try container.resolve.orThrow((any Engine).self)
                    }
                }
                #expect(error?.reason == .misplacedDecorator)
                #expect(error?.description.contains("decorated at \(#fileID):\(Self.frameLine)\n") == true)
            }
            await #expect(throws: ResolutionError.self) { try await container.resolve.async((any Engine).self) }
            #expect(throws: ResolutionError.self) { try container.resolve.orThrow.all((any Engine).self) }
        }
        #expect(try parent.resolve.orThrow((any Engine).self).kind == "diesel")
    }

    @Test("validate() finds a misplaced decorator once, at its own line")
    func finding() throws {
        let parent = DIContainer {
            Shared(Diesel() as any Engine)
            New(autowiring: Car.init)
        }
        let child = parent.makeChild { Self.frame }
        let error = #expect(throws: DIContainer.ValidationError.self) { try child.validate() }
        #expect(error?.findings.map(\.kind) == [.error(.misplacedDecorator)])
        #expect(error?.findings.first?.line == Self.frameLine)
        try parent.validate()
        try child.fork().validate()
    }

    @Test("Each fix in the text of the error works")
    func fixes() throws {
        let parent = DIContainer { Shared(Diesel() as any Engine) }
        let frame = Self.frame
        let child = parent.makeChild { frame }
        #expect(try child.fork().resolve.orThrow((any Engine).self).kind == "framed diesel")
        child.register(Shared(Diesel(kind: "own") as any Engine))
        #expect(try child.resolve.orThrow((any Engine).self).kind == "framed own")
        #expect(try parent.resolve.orThrow((any Engine).self).kind == "diesel")
        child.unregister((any Engine).self)
        parent.register(frame)
        #expect(try child.resolve.orThrow((any Engine).self).kind == "framed diesel")
    }

    @Test("A decorator that is also in the parent's registration wraps once", arguments: registrations)
    func sameDecorator(_ registration: Module) async throws {
        let module = Module(Self.frame)
        let parent = DIContainer {
            registration
            module
        }
        let child = parent.makeChild { module }
        let grandchild = child.makeChild { module }
        for container in [parent, child, grandchild, child.fork()] {
            try await container.prepare()
            let engine = try await container.resolve.async((any Engine).self)
            #expect(engine.kind == "framed diesel")
            #expect(try container.resolve.orThrow((any Engine).self).kind == "framed diesel")
        }
        #expect(throws: Never.self) { try grandchild.validate() }
        child.register(Self.frame)
        #expect(failure { _ = try grandchild.resolve.orThrow((any Engine).self) }?.kind == "misplacedDecorator")
    }

    @Test("unregister removes the decorators of the key")
    func unregister() throws {
        let container = DIContainer {
            New(Diesel() as any Engine)
            Self.frame
        }
        #expect(try container.resolve.orThrow((any Engine).self).kind == "framed diesel")
        container.unregister((any Engine).self)
        container.register(New(Diesel(kind: "new") as any Engine))
        #expect(try container.resolve.orThrow((any Engine).self).kind == "new")
    }

    @Test("A hundred nested containers may each register and decorate a type")
    func nested() throws {
        let root = DIContainer {
            Shared(Diesel(kind: "0"), as: (any Engine).self)
            Self.frame
        }
        var containers = [root]
        for level in 1...100 {
            containers.append(
                containers[level - 1].makeChild {
                    Shared(Diesel(kind: "\(level)"), as: (any Engine).self)
                    Self.frame
                })
        }
        // The outermost first and the innermost first.
        for container in containers.reversed() + containers {
            let level = containers.firstIndex { $0 === container }!
            #expect(try container.resolve.orThrow((any Engine).self).kind == "framed \(level)")
            #expect(try container.makeChild().resolve.orThrow(Diesel.self).kind == "\(level)")
        }
    }
}
