import DependencyInjection
import Foundation
import Testing

@Suite("Suggestions in an error")
struct SuggestionTests {
    private func fix(_ work: () throws -> Void) throws -> String {
        let error = failure(work)
        let text = try #require(error).description
        let label = try #require(text.firstRange(of: "\n  fix: "))
        return String(text[label.upperBound...])
    }

    private class Base: @unchecked Sendable {}
    private final class Derived: Base, @unchecked Sendable {}

    @Test("Rule 18: a conforming type or subclass is suggested, whatever its name")
    func conforming() throws {
        let line: UInt = #line + 3
        let container = DIContainer {
            Shared(Ticket(number: 1))
            Shared(Diesel())
            Shared(Derived())
        }
        let error = try #require(failure { _ = try container.resolve.orThrow((any Engine).self) })
        #expect(error.suggestions == ["Diesel  (registered at \(#fileID):\(line))"])
        let base = try #require(failure { _ = try container.resolve.orThrow(Base.self) })
        #expect(base.suggestions == ["SuggestionTests.Derived  (registered at \(#fileID):\(line + 1))"])
        #expect(
            base.description.hasSuffix(
                "\n   or: add `as: SuggestionTests.Base.self` to the registration at \(#fileID):\(line + 1)"))
    }

    @Test("Rule 18: a request for an implementation suggests its differently named protocol")
    func otherNamedImplementation() throws {
        let container = DIContainer { Shared(Diesel() as any Engine) }
        #expect(
            try fix { _ = try container.resolve.orThrow(Diesel.self) }.hasPrefix(
                "request the registered type: `resolve((any Engine).self)`\n   or: register the implementation: ")
        )
    }

    private struct Opt: Sendable {}

    @Test("Rule 18: a name that shares two of three letters is not suggested")
    func shortName() throws {
        let container = DIContainer { Shared(Opt()) }
        #expect(failure { _ = try container.resolve.orThrow(Int.self) }?.suggestions == [])
    }

    @Test("Rule 18: the text names the container, and suggests another one if it is empty")
    func requestForContainer() throws {
        func text(_ container: DIContainer) -> String {
            failure { _ = try container.resolve.orThrow((any Engine).self) }?.description ?? "no failure"
        }
        let line: UInt = #line + 1
        let app = DIContainer { Shared(Ticket(number: 1)) }
        #expect(
            text(app.makeChild()).contains(
                ", in a child of the container with the registration at \(#fileID):\(line)\n"))
        #expect(!text(app).contains(", in "))
        let empty = text(DIContainer())
        #expect(empty.contains(", in a container that is without any registration\n"))
        #expect(
            empty.hasSuffix(
                """
                \n  fix: resolve from the container that registers it: `app.resolve((any Engine).self)`, \
                `@Inject(from: app)` or `DIContainer.withContainer(app) { … }`
                   or: register it: `container.register { Shared(… as any Engine) }`
                """))
    }

    private final class Limited: Sendable { init(_ engine: any Engine, limit: Int = 20) {} }

    @Test("Rule 18: for a parameter with a default, the advice is a closure that omits it")
    func defaultValue() throws {
        let container = DIContainer {
            Shared(Diesel() as any Engine)
            Scoped(autowiring: Limited.init)
        }
        let text = try fix { _ = try container.resolve.orThrow(Limited.self) }
        #expect(
            text.hasSuffix(
                "omit the parameter in a closure, if it has a default: `Scoped { resolve in SuggestionTests.Limited(…) }`"
            ))
        let engineless = DIContainer { Scoped(autowiring: Limited.init) }
        #expect(try !fix { _ = try engineless.resolve.orThrow(Limited.self) }.contains("default"))
    }

    @Test("Rule 18: a parameter with a lazy wrapper gets the advice to use a provider")
    func lazyParameter() throws {
        final class Kennel: Sendable { init(dog: LazyInject<Ticket>) {} }
        let container = DIContainer {
            Shared(Ticket(number: 1))
            Shared(autowiring: Kennel.init)
        }
        #expect(
            try fix { _ = try container.resolve.orThrow(Kennel.self) }
                == """
                replace the lazy wrapper with a `Provider<Ticket>`
                   or: create the lazy wrapper in a closure: `Shared { resolve in … }`
                """)
    }

    @Test("Rules 16, 19: a graph's cycle gets the advice to connect it in one factory")
    func circleOfGraph() throws {
        final class C: @unchecked Sendable { let d: D; init(d: D) { self.d = d } }
        final class D: @unchecked Sendable { weak var c: C? }
        let circle = DIContainer {
            Graph { resolve in C(d: try resolve.orThrow()) }
            Graph { resolve in
                _ = try resolve.orThrow(C.self); return D()
            }
        }
        #expect(
            try fix { _ = try circle.resolve.orThrow(C.self) }
                == """
                connect the instances in one factory, because a lazy wrapper would resolve another instance: \
                `Graph { resolve in let c = C(d: resolve()); c.d.c = c; return c }`
                """)
        let mended = DIContainer {
            Graph { resolve in
                let c = C(d: resolve()); c.d.c = c; return c
            }
            Graph { _ in D() }
        }
        let c = try mended.resolve.orThrow(C.self)
        #expect(c.d.c === c)
    }

    @Test("Rules 2, 18: the path of an error names the alias of a requested New")
    func aliasInPath() throws {
        let container = DIContainer {
            New({ resolve in Car(engine: try resolve.orThrow()) }, as: AnyObject.self)
            New { resolve in Ticket(number: [try resolve.orThrow(AnyObject.self)].count) }
        }
        let error = try #require(failure { _ = try container.resolve.orThrow(Ticket.self) })
        #expect(error.path.map(\.key) == ["Ticket", "AnyObject", "Car"])
    }
}

extension ExitTests {
    @Suite("Suggestions in an error, in another process") struct SuggestionExitTests {}
}

extension ExitTests.SuggestionExitTests {
    @Test("Rule 18: the text identifies the default container and its children")
    func defaultContainer() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            func complain() {
                let error = failure { _ = try DIContainer.resolve.orThrow((any Engine).self) }
                FileHandle.standardError.write(Data((error?.description ?? "no failure").utf8))
            }
            DIContainer.shared = DIContainer()
            complain()
            DIContainer.register(Shared(Ticket(number: 1)))
            complain()
            DIContainer.withContainer(DIContainer.shared.makeChild()) { complain() }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains(", in the default container, which is without any registration\n"))
        #expect(
            text.contains(", in the default container\n") && text.contains(", in a child of the default container\n"))
    }
}
