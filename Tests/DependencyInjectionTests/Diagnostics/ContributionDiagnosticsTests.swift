import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

private protocol Plugin: Sendable {}
private protocol Command: Sendable {}
private final class Spelling: Plugin, Command {}
private final class Grammar: Plugin {}
private final class Editor: Sendable { init(_ plugins: [any Plugin]) {} }
private final class Menu: Sendable { init(_ plugins: All<any Plugin>) {} }
private final class Visit: Plugin {}

@Suite("Rule 23: Diagnostics of contributions")
struct ContributionDiagnosticsTests {
    private let container = DIContainer {
        Shared(autowiring: Spelling.init, as: (any Command).self).into((any Plugin).self)
        Shared(Grammar() as any Plugin).into((any Plugin).self)
        New(autowiring: Editor.init)
    }

    private func lines(_ text: some Collection<Character>) -> [String] {
        text.split(separator: "\n").map { String($0).components(separatedBy: "  (")[0] }
    }

    @Test("The listing shows the collections of each registration")
    func listing() {
        let registrations = container.registrations
        #expect(
            registrations.map { lines($0.description)[0] } == [
                "Shared Spelling as any Command into any Plugin", "Shared any Plugin into any Plugin", "New Editor",
            ])
        #expect(registrations.map(\.collections) == [["any Plugin"], ["any Plugin"], []])
        #expect(registrations.map(\.aliases) == [["any Command"], [], []])
        let module = Module { Shared(Spelling()).into((any Plugin).self) }
        #expect(module.registrations[1].description.hasPrefix("any Plugin: contribution of Spelling, contributed at "))
    }

    @Test("The graph has an edge from a collection's user to each contribution, and from there on")
    func graph() {
        let graph = container.graph
        #expect(graph.nodes.map(\.key) == ["Spelling", "any Command", "any Plugin", "any Plugin", "Editor"])
        #expect(graph.edges.map(\.from) == [1, 2, 4, 4])
        #expect(graph.edges.map(\.to) == [0, 0, 2, 3])
        #expect(graph.edges.map(\.kind) == [.alias, .alias, .autowiring, .autowiring])
        let text = lines(graph.description)
        #expect(text.contains("New Editor"))
        #expect(text.contains("  Contribution any Plugin"))
        #expect(text.contains("  Shared any Plugin into any Plugin"))
        let mermaid = graph.mermaid()
        #expect(mermaid.contains("Shared Spelling<br/>as any Command<br/>into any Plugin<br/>"))
        #expect(mermaid.contains("n2 -->|into| n0") && mermaid.contains("n1 -->|as| n0"))
        #expect(graph.dot().contains("n2 -> n0 [label=\"into\"]"))
        #expect(findings(container).isEmpty)
    }

    @Test("The graph of All, of an Optional and of a Provider has the same edges")
    func forms() {
        for (registration, isDeferred) in [
            (Module { New(autowiring: Menu.init) }, false),
            (Module { New(autowiring: { (_: [any Plugin]?) in 1 }) }, false),
            (Module { New(autowiring: { (_: Provider<[any Plugin]>) in 1 }) }, true),
        ] {
            let graph = container.makeChild { registration }.graph
            #expect(graph.edges.filter { $0.from == 0 }.map(\.key) == ["any Plugin", "any Plugin"])
            #expect(graph.edges.filter { $0.from == 0 }.allSatisfy { $0.isDeferred == isDeferred })
        }
        let none = DIContainer { New(autowiring: { (_: [any Plugin]?) in 1 }) }
        #expect(none.graph.edges.isEmpty && findings(none).isEmpty)
        let registered = container.makeChild {
            New(autowiring: Editor.init)
            Shared([] as [any Plugin])
        }
        #expect(registered.graph.edges.filter { $0.from == 0 }.map(\.key) == ["Array<any Plugin>"])
    }

    @Test("validate() finds an array without contributions, and names the way to write it")
    func missing() throws {
        let none = DIContainer { New(autowiring: Editor.init) }
        let finding = try only(none)
        #expect(finding.kind == .error(.notRegistered))
        #expect(
            finding.description.contains(
                "fix: contribute its elements with `.into((any Plugin).self)`\n   or: register Array<any Plugin>"))
        // Only a child contributes.
        let parent = DIContainer { Shared(autowiring: Editor.init) }
        let child = parent.makeChild { Shared(Grammar() as any Plugin).into((any Plugin).self) }
        #expect(try only(child).kind == .error(.notRegistered))
    }

    @Test("validate() finds a single dependency on a type that is only contributed")
    func single() throws {
        let container = DIContainer {
            New(autowiring: { (_: any Plugin) in 1 })
            Shared(Grammar() as any Plugin).into((any Plugin).self)
        }
        let finding = try only(container)
        #expect(finding.kind == .error(.notRegistered))
        #expect(finding.description.contains("fix: change the parameter to `[any Plugin]`\n   or: register any Plugin"))
        #expect(!finding.description.contains("without a name"))
    }

    @Test("validate() finds a contribution that doesn't conform, at its line", arguments: [false, true])
    func mismatch(_ isBuilding: Bool) async throws {
        let line: UInt = #line + 2
        let container = DIContainer {
            Shared(Ticket(number: 1)).into((any Engine).self)
            Shared(Diesel()).into((any Engine).self)
        }
        var found = findings(container)
        if isBuilding {
            do { try await container.validate(.building(within: .seconds(240))) } catch { found = error.findings }
        }
        let finding = try #require(found.first)
        #expect(found.count == 1 && finding.kind == .error(.typeMismatch) && finding.line == line)
        #expect(
            finding.description == """
                Ticket is contributed to the collection of any Engine, and does not conform.
                  registered at \(#fileID):\(line)
                  fix: register an instance that conforms to any Engine
                   or: remove `.into((any Engine).self)`
                """)
    }

    @Test("validate(.building) finds a contribution whose instance isn't of the type")
    func mismatchOfInstance() async throws {
        let container = DIContainer { Shared(Spelling() as any Command).into(Grammar.self) }
        #expect(findings(container).isEmpty)
        let error = await #expect(throws: DIContainer.ValidationError.self) {
            try await container.validate(.building(within: .seconds(240)))
        }
        #expect(error?.findings.map(\.kind) == [.error(.typeMismatch)])
    }

    @Test("A decorator of a type with contributions is used, and one of another type is not")
    func unusedDecorator() throws {
        container.register(Decorate((any Plugin).self) { base, _ in base })
        #expect(findings(container).isEmpty)
        container.register(Decorate((any Plugin).self, name: "x") { base, _ in base })
        #expect(try only(container).kind == .unusedDecorator)
    }

    @Test("A misplaced decorator of contributions is found once, at its own line")
    func misplacedDecorator() throws {
        let line: UInt = #line + 1
        let child = container.makeChild { Decorate((any Plugin).self) { base, _ in base } }
        let finding = try only(child)
        #expect(finding.kind == .error(.misplacedDecorator) && finding.line == line)
        #expect(findings(child.fork()).isEmpty)
    }

    @Test("A Shared that collects a Scoped is a captive dependency, through an array and All")
    func captive() throws {
        for module in [Module { Shared(autowiring: Editor.init) }, Module { Shared(autowiring: Menu.init) }] {
            for scoped in [
                Module { Scoped(Visit()).into((any Plugin).self) },
                Module { Scoped(Visit() as any Plugin).into((any Plugin).self) },
            ] {
                let container = DIContainer {
                    module
                    Shared(Spelling()).into((any Plugin).self)
                    scoped
                }
                let finding = try only(container)
                #expect(finding.kind == .captiveDependency)
                #expect(finding.description.contains("needs any Plugin, which is scoped"))
            }
        }
    }

    @Test("A cycle through a collection is found once, and only its own edges are marked")
    func cycle() async throws {
        struct Wiki: Plugin { init(_ editor: Editor) {} }
        let container = DIContainer {
            Shared(autowiring: Editor.init)
            Shared(autowiring: Wiki.init).into((any Plugin).self)
            Shared(Spelling()).into((any Plugin).self)
        }
        #expect(try only(container).kind == .error(.cycle))
        let error = await #expect(throws: DIContainer.ValidationError.self) {
            try await container.validate(.building(within: .seconds(240)))
        }
        #expect(error?.findings.map(\.kind) == [.error(.cycle)])
        #expect(container.graph.mermaid().split(separator: "\n").count { $0.hasPrefix("  linkStyle") } == 3)
    }

    @Test("Replacing a contributed type is one warning")
    func replaced() throws {
        container.register(Shared(Spelling()).into((any Plugin).self))
        let finding = try only(container)
        #expect(finding.kind == .replaced && finding.key == "Spelling")
        let modules = DIContainer {
            Shared(Spelling() as any Plugin)
            Shared(Grammar() as any Plugin)
        }
        #expect(
            try only(modules).description.contains(
                "contribute both with `.into((any Plugin).self)`"))
    }

    @Test("An observer's events and paths say where a registration was contributed")
    func events() throws {
        let log = Locked<[String]>([])
        let container = DIContainer()
        container.observe { event in log.withLock { $0.append("\(event)") } }
        container.register(Shared(Grammar() as any Plugin).into((any Plugin).self))
        #expect(log.withLock { $0 }.first?.hasPrefix("registered any Plugin  (contributed at \(#fileID):") == true)
    }
}
