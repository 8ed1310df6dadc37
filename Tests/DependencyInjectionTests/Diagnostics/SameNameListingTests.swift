import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

@Suite("Types with the same name in a listing, a report or a diagram")
struct SameNameListingTests {
    private let container = DIContainer {
        Shared(Notes.Cell(), as: (any Notes.Caption).self)
        Shared(Settings.Cell())
        New(Ticket(number: 1))
    }

    private func starts(_ texts: some Sequence<some CustomStringConvertible>) -> [String] {
        texts.map { $0.description.components(separatedBy: "  (registered at")[0] }
    }

    @Test("registrations are distinguished as a list, and each has a short key")
    func registrations() {
        let list = container.registrations
        #expect(
            starts(list) == [
                "Shared Notes.Cell as any Notes.Caption",
                "Shared Settings.Cell", "New Ticket",
            ])
        #expect(list.map(\.key) == ["Notes.Cell", "Settings.Cell", "Ticket"])
        #expect(list[0].aliases == ["any Notes.Caption"])
    }

    @Test("aliases are distinguished from the types of other registrations")
    func aliases() {
        struct Title: Notes.Caption, Settings.Caption {}
        let container = DIContainer {
            Shared(Title(), as: (any Notes.Caption).self, (any Settings.Caption).self)
        }
        #expect(
            starts(container.registrations) == [
                "Shared SameNameListingTests.Title as any Notes.Caption, any Settings.Caption"
            ])
        #expect(
            container.graph.mermaid().contains(
                "as any Notes.Caption<br/>as any Settings.Caption<br/>"
            ))
    }

    @Test("a registration is distinguished from its alias target")
    func registration() throws {
        let registration = try #require(
            Module { Shared(Settings.Model(cell: Settings.Cell()), as: Notes.Model.self) }.registrations.last)
        #expect(
            registration.description.hasPrefix(
                "Notes.Model: alias of Settings.Model, registered at "))
    }

    @Test("an event distinguishes the built type from the missing type")
    func events() {
        let container = DIContainer { Shared(autowiring: Notes.Model.init) }
        let log = EventLog(container)
        container.register(
            Shared { resolve -> Settings.Cell in
                _ = try resolve.orThrow(Notes.Cell.self)
                return Settings.Cell()
            })
        _ = failure { _ = try container.resolve.orThrow(Settings.Cell.self) }
        let all = log.events.map(\.description)
        #expect(all.first?.hasPrefix("registered Settings.Cell  (") == true)
        #expect(all.last?.hasPrefix("failed Settings.Cell  (registered at ") == true)
        #expect(all.last?.hasSuffix(": Nothing is registered for Notes.Cell.") == true)
    }

    @Test("a finding distinguishes the missing type from suggestions and path")
    func finding() throws {
        let finding = try only(
            DIContainer {
                Shared(Settings.Cell())
                Shared(autowiring: Notes.Model.init)
            })
        #expect(
            finding.description.hasPrefix(
                "Nothing is registered for Notes.Cell, which Notes.Model needs."))
        #expect(
            finding.description.contains(
                "\n  similar registrations:\n    Settings.Cell  (registered at "))
        #expect(finding.key == "Notes.Cell" && finding.path.map(\.key) == ["Notes.Model"])
        let mismatch = try only(DIContainer { Shared(Settings.Cell(), as: Notes.Cell.self) })
        #expect(
            mismatch.description.hasPrefix(
                "Settings.Cell is registered with Notes.Cell in `as:`, "
            ))
        #expect(mismatch.key == "Notes.Cell")
    }

    @Test("a finding distinguishes arguments of types with the same name")
    func argumentsFinding() throws {
        struct Owner: Sendable { let make: Provider<Ticket, Settings.Cell> }
        let finding = try only(
            DIContainer {
                New { (_, cell: Notes.Cell) in Ticket(number: 1) }
                Shared(autowiring: Owner.init)
            })
        #expect(
            finding.description.hasPrefix(
                """
                SameNameListingTests.Owner needs Ticket, whose factory takes (Notes.Cell), and supplies \
                (Settings.Cell).
                """))
    }

    @Test("the report of all findings distinguishes their types")
    func report() {
        let container = DIContainer {
            Shared(autowiring: Notes.Model.init)
            Shared(autowiring: Settings.Model.init, name: "main")
        }
        let error = #expect(throws: DIContainer.ValidationError.self) { try container.validate() }
        let text = error?.description ?? ""
        #expect(
            text.contains(
                """
                1. error: Nothing is registered for Notes.Cell, \
                which Notes.Model needs.
                """))
        #expect(
            text.contains(
                """
                2. error: Nothing is registered for Settings.Cell, \
                which Settings.Model named "main" needs.
                """))
        #expect(error?.findings.map(\.key) == ["Notes.Cell", "Settings.Cell"])
    }

    @Test("findings about arguments of types with the same name are two findings")
    func twoFindings() {
        struct Owner: Sendable {
            let first: Provider<Ticket, Notes.Cell>
            let second: Provider<Ticket, Settings.Cell>
        }
        let container = DIContainer {
            New { (_, number: Int) in Ticket(number: number) }
            Shared(autowiring: Owner.init)
        }
        let found = findings(container).map(\.description)
        #expect(found.count == 2)
        #expect(found.first?.contains("supplies (Notes.Cell)") == true)
        #expect(found.last?.contains("supplies (Settings.Cell)") == true)
    }

    @Test("the report of building everything distinguishes the failed types")
    func building() async throws {
        let container = DIContainer {
            Shared { _ -> Notes.Cell in throw Sabotage() }
            Shared { _ -> Settings.Cell in throw Sabotage() }
        }
        let error = await #expect(throws: DIContainer.ValidationError.self) { try await container.validate(.building) }
        let text = error?.description ?? ""
        #expect(text.contains("\n1. error: The factory of Notes.Cell failed: sabotaged\n"))
        #expect(text.contains("\n2. error: The factory of Settings.Cell failed: sabotaged\n"))
    }

    @Test("a diagram distinguishes its nodes, also the missing ones")
    func graph() {
        let graph = DIContainer {
            Shared(Notes.Cell())
            Shared(autowiring: Settings.Model.init)
        }.graph
        let tree = starts(graph.description.split(separator: "\n").dropLast())
        #expect(
            tree == [
                "Shared Notes.Cell", "Shared Settings.Model",
                "  Settings.Cell  (missing)",
            ])
        #expect(graph.mermaid().contains("n0[\"Shared Notes.Cell<br/>"))
        #expect(graph.mermaid().contains("n1[\"Shared Settings.Model<br/>"))
        #expect(graph.mermaid().contains("x0[\"Settings.Cell<br/>missing\"]"))
        #expect(graph.dot().contains("n0 [label=\"Shared Notes.Cell\\n"))
        #expect(graph.dot().contains("x0 [label=\"Settings.Cell\\nmissing\""))
    }
}
