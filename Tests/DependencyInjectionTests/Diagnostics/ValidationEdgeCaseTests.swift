import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

private protocol Part: Sendable {}
private protocol Other: Sendable {}
private final class First: Part {}
private final class Second: Part {}
private final class Both: Part, Other {}

private final class Wrapper: Part {
    let base: any Part
    init(_ base: any Part) { self.base = base }
}

private struct Detail: Sendable { let text: String }
private struct DetailUser: Sendable { init(_ detail: Detail) {} }
private struct Screen: Sendable { let detail: Detail }
private struct ProviderUser: Sendable { init(_ make: Provider<Detail, Int>) {} }
private struct Page: Sendable { let make: @Sendable (Second) -> Detail }
private final class Now: Sendable { init(_ now: Later, _ later: Provider<Later>) {} }
private final class Later: Sendable { init(_ now: Now) {} }

@Suite("Validation of edge cases")
struct ValidationEdgeCaseTests {
    @Test("an override in a fork is not a replacement, even after a decoration there")
    func decoratedOverride() {
        let app = DIContainer { Shared(First() as any Part) }
        let fork = app.fork {
            Decorate((any Part).self) { base, _ in Wrapper(base) }
            Shared(Second() as any Part)
        }
        #expect(findings(fork).isEmpty)
        fork.register(Shared(First() as any Part))
        #expect(findings(fork).map(\.kind) == [.replaced])
    }

    @Test("doesn't report a registration as its own replacement")
    func replacedByItself() {
        let first = Module(Shared(First() as any Part))
        let second = Module(Shared(Second() as any Part))
        let found = findings(
            DIContainer {
                first
                second
                first
            })
        #expect(found.map(\.kind) == [.replaced])
        #expect(!found[0].description.contains("replaces what was registered at \(found[0].file):\(found[0].line)."))
    }

    @Test("doesn't report an Optional that was unregistered")
    func unregisteredOptional() {
        let container = DIContainer { Shared { _ in nil as Int? } }
        #expect(findings(container).map(\.kind) == [.optionalRegistration])
        container.unregister(Int?.self)
        #expect(findings(container).isEmpty)
    }

    @Test("accepts a function as a dependency of an initializer")
    func neededFunction() throws {
        let factory = Shared({ _ in Detail(text: "") } as @Sendable (Second) -> Detail)
        #expect(findings(DIContainer { factory }).map(\.kind) == [.missingAutowiring])
        let container = DIContainer {
            factory
            New(autowiring: Page.init)
        }
        #expect(try findings(container).isEmpty && container.resolve.orThrow(Page.self).make(Second()).text == "")
    }

    @Test("reports an argument of a provider that never becomes the factory's Optional")
    func optionalArgument() {
        let container = DIContainer {
            New { (_: Resolver, text: String?) in Detail(text: text ?? "") }
            New(autowiring: ProviderUser.init)
        }
        #expect(throws: ResolutionError.self) { try container.resolve.orThrow(Detail.self, arguments: 1) }
        #expect(findings(container).map(\.kind) == [.error(.argumentMismatch)])
    }

    @Test("reports a fault of each caller when everything is built")
    func faultOfEach() async {
        let container = DIContainer {
            New { (_: Resolver, number: Int) in Detail(text: "\(number)") }
            New(autowiring: DetailUser.init)
            New { resolve in Screen(detail: try resolve.orThrow(Detail.self, arguments: "wrong")) }
        }
        do {
            _ = try await container.validate(.building { $0.type == Detail.self ? [1] : nil })
            Issue.record("Two registrations fail.")
        } catch { #expect(error.findings.map(\.kind) == [.error(.argumentMismatch), .error(.argumentMismatch)]) }
    }

    @Test("lists an alias with its final target")
    func aliasOfAlias() throws {
        let container = DIContainer {
            Shared(First() as any Part, as: (any Other).self)
            Shared(Both(), as: (any Part).self)
        }
        #expect(try container.resolve.orThrow((any Other).self) is Both)
        #expect(container.registrations.map { Set($0.aliases) } == [["any Part", "any Other"]])
    }

    @Test("marks no provider as part of a cycle")
    func providerBesideCircle() {
        let container = DIContainer {
            Shared(autowiring: Now.init)
            Shared(autowiring: Later.init)
        }
        let lines = container.graph.mermaid().split(separator: "\n")
        let later = lines.indices.filter { lines[$0].contains("later") }
        #expect(!later.isEmpty && later.allSatisfy { !lines[$0 + 1].contains("linkStyle") })
    }
}
