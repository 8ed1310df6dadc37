import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("Rule 17: the same Decorate value wraps once")
struct DecoratedTwiceTests {
    private static let decorator = Module(Decorate(String.self) { base, _ in "<\(base)>" })
    private static let module = Module { decorator }
    private static let named = [Module("first") { decorator }, Module("second") { decorator }]

    /// A new decorator for each access.
    private var another: Decorate { Decorate(String.self) { base, _ in "(\(base))" } }

    private func text(_ container: DIContainer) -> String { container.resolve(String.self) }

    @Test("a module registered a hundred times wraps once, but a new value wraps again")
    func registeredAgain() {
        let container = DIContainer { New("x") }
        for _ in 0..<100 { container.register(Self.module) }
        #expect(text(container) == "<x>")
        container.register { another }
        container.register { another }
        container.register(Self.module)
        #expect(text(container) == "((<x>))")
        #expect(container.registrations.first?.decorators.count == 3)
    }

    @Test("in several modules it wraps once, across blocks and in any order")
    func severalModules() {
        let container = DIContainer {
            Self.named[0]
            Self.module
            New("x")
            Self.named[1]
            Self.decorator
        }
        #expect(text(container) == "<x>")
        container.register(Module { Self.named })
        container.register(New("y"))
        #expect(text(container) == "<y>")
    }

    @Test("registering it again releases no Shared instance")
    func instanceStays() throws {
        let decorator = Decorate(Diesel.self) { base, _ in Diesel(kind: "tuned \(base.kind)") }
        let container = DIContainer {
            Shared(Diesel())
            decorator
        }
        let first = try container.resolve.orThrow(Diesel.self)
        container.register(decorator)
        #expect(try container.resolve.orThrow(Diesel.self) === first && first.kind == "tuned diesel")
        container.register(Decorate(Diesel.self) { base, _ in Diesel(kind: "again \(base.kind)") })
        #expect(try container.resolve.orThrow(Diesel.self).kind == "again tuned diesel")
    }

    @Test("under another name, and after a reset, it wraps again")
    func otherNameAndReset() throws {
        let named = Decorate(String.self, name: "n") { base, _ in "<\(base)>" }
        let container = DIContainer {
            New("x")
            New("x", name: "n")
            Self.decorator
            named
        }
        #expect(try text(container) == "<x>" && container.resolve.orThrow(String.self, name: "n") == "<x>")
        container.reset()
        container.register(New("x"), Self.decorator)
        #expect(text(container) == "<x>")
    }

    @Test("a fork, an override and the fork of a child wrap once")
    func forks() {
        let container = DIContainer {
            New("x")
            Self.module
        }
        #expect(text(container.fork { Self.module }) == "<x>")
        #expect(text(container.makeChild { Self.module }.fork()) == "<x>")
        #expect(text(container.makeChild { Self.module }.fork { Self.named[0] }) == "<x>")
        #expect(text(container.makeChild { another }.fork()) == "(<x>)")
        let overridden = DIContainer.withContainer(container) {
            DIContainer.withOverrides {
                Self.module
            } operation: {
                DIContainer.resolve(String.self)
            }
        }
        #expect(overridden == "<x>")
    }
}
