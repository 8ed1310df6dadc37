import DependencyInjection
import Testing

@Suite("Types of one name in an error")
struct SameNameTests {
    @Test("Rule 18: the text tells what was asked for from what is registered")
    func notRegistered() throws {
        let container = DIContainer { Shared(Settings.Cell()) }
        let error = try #require(failure { _ = try container.resolve.orThrow(Notes.Cell.self) })
        let text = error.description
        #expect(text.hasPrefix("Nothing is registered for Cell.\n"))
        #expect(text.contains("\n  registered are:\n    DependencyInjectionTests.Settings.Cell  (registered at "))
        #expect(text.contains("fix: register it first, as in `DIContainer.register { Shared(… as Cell) }`."))
        #expect(error.key == "Cell")
        #expect(error.candidates.first?.hasPrefix("DependencyInjectionTests.Settings.Cell  (") == true)
        #expect(error.candidates.count == 1)
    }

    @Test("Rule 18: the text names the module where nothing else tells two types apart")
    func modules() throws {
        let container = DIContainer { Shared(CommandLine()) }
        let error = try #require(failure { _ = try container.resolve.orThrow(Swift.CommandLine.self) })
        #expect(error.description.hasPrefix("Nothing is registered for CommandLine.\n"))
        #expect(error.candidates.first?.hasPrefix("DependencyInjectionTests.CommandLine  (") == true)
    }

    @Test("Rule 18: a type that no other in the text shares its name with is named by that alone")
    func short() throws {
        let container = DIContainer {
            Shared(Settings.Cell())
            New { resolve in Settings.Model(cell: try resolve.orThrow(Settings.Cell.self, name: "main")) }
        }
        let error = try #require(failure { _ = try container.resolve.orThrow(Settings.Model.self) })
        #expect(error.key == "Cell named \"main\"" && error.path.map(\.key) == ["Model"])
        #expect(!error.description.contains("Settings."))
    }

    @Test("Rule 18: the path is told apart from what was asked for, in the text and on its own")
    func path() throws {
        let container = DIContainer {
            New { resolve -> Notes.Model in
                _ = try resolve.orThrow(Settings.Model.self)
                return Notes.Model(cell: Notes.Cell())
            }
        }
        let error = try #require(failure { _ = try container.resolve.orThrow(Notes.Model.self) })
        #expect(error.description.contains("\n    DependencyInjectionTests.Notes.Model  (registered at "))
        #expect(error.description.contains("\n    → Model\n"))
        #expect(error.key == "Model" && error.path.map(\.key) == ["DependencyInjectionTests.Notes.Model"])
        #expect(error.path.first?.description.hasPrefix("DependencyInjectionTests.Notes.Model  (") == true)
    }

    @Test("Rule 18: the steps of a circle are told apart")
    func circle() throws {
        let container = DIContainer {
            New { resolve in
                _ = try resolve.orThrow(Settings.Cell.self)
                return Notes.Cell()
            }
            New { resolve in
                _ = try resolve.orThrow(Notes.Cell.self)
                return Settings.Cell()
            }
        }
        let error = try #require(failure { _ = try container.resolve.orThrow(Notes.Cell.self) })
        #expect(
            error.description.hasPrefix(
                "Building Cell needs Cell itself: Cell → DependencyInjectionTests.Settings.Cell → Cell\n"))
        #expect(error.description.contains("let one of them ask later"))
    }

    @Test("Rule 18: arguments of the other type are told apart, in the text and in the reason")
    func arguments() throws {
        let container = DIContainer { New { (_, cells: [Notes.Cell]) in Ticket(number: cells.count) } }
        let error = try #require(
            failure { _ = try container.resolve.orThrow(Ticket.self, arguments: [Settings.Cell()]) })
        #expect(
            error.description.hasPrefix(
                """
                The factory of Ticket takes (Array<Cell>), but was given \
                (Swift.Array<DependencyInjectionTests.Settings.Cell>).

                """))
        #expect(error.description.contains("`Provider<Ticket, Array<Cell>>`"))
        #expect(error.reason.expectedArguments == "(Array<Cell>)")
        #expect(error.reason.suppliedArguments == "(Swift.Array<DependencyInjectionTests.Settings.Cell>)")
    }

    @Test("Rule 18: an alias is told apart from an instance that does not have its type")
    func mismatch() throws {
        let container = DIContainer { Shared(Settings.Cell(), as: Notes.Cell.self) }
        let error = try #require(failure { _ = try container.resolve.orThrow(Notes.Cell.self) })
        #expect(
            error.description.hasPrefix(
                "Cell is an alias of an instance of DependencyInjectionTests.Settings.Cell, which does not"))
        #expect(
            error.description.contains(
                "fix: make DependencyInjectionTests.Settings.Cell conform to Cell, or leave Cell out"))
    }

    @Test("Rule 18: who asks for an array of an unregistered type is not told to ask for all of another")
    func array() throws {
        let container = DIContainer { Shared(Settings.Cell()) }
        let error = try #require(failure { _ = try container.resolve.orThrow([Notes.Cell].self) })
        #expect(!error.description.contains("resolve.all"))
        #expect(error.description.hasPrefix("Nothing is registered for Array<Cell>.\n"))
    }

    @Test("Rule C11: what could not be prepared is told apart in the whole report")
    func preparing() async throws {
        let container = DIContainer {
            Shared(async: { _ -> Notes.Cell in throw Sabotage() })
            Shared(async: { _ -> Settings.Cell in throw Sabotage() })
        }
        let error = await #expect(throws: PreparationError.self) { try await container.prepare() }
        let text = try #require(error).description
        #expect(text.contains(". The factory of DependencyInjectionTests.Notes.Cell failed: sabotaged\n"))
        #expect(text.contains(". The factory of DependencyInjectionTests.Settings.Cell failed: sabotaged\n"))
        #expect(error?.failures.map(\.key) == ["Cell", "Cell"])
    }
}
