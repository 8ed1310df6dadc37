import DependencyInjection
import Testing

@Suite("Types with the same name in an error")
struct SameNameTests {
    @Test("Rule 18: the text distinguishes the requested type from the registered")
    func notRegistered() throws {
        let container = DIContainer { Shared(Settings.Cell()) }
        let error = try #require(failure { _ = try container.resolve.orThrow(Notes.Cell.self) })
        let text = error.description
        #expect(text.hasPrefix("Nothing is registered for Notes.Cell.\n"))
        #expect(text.contains("\n  similar registrations:\n    Settings.Cell  (registered at "))
        #expect(text.contains("fix: register Notes.Cell"))
        #expect(error.key == "Notes.Cell")
        #expect(error.suggestions.first?.hasPrefix("Settings.Cell  (") == true)
        #expect(error.suggestions.count == 1)
    }

    @Test("Rule 18: the text names the module if nothing else distinguishes two types")
    func modules() throws {
        let container = DIContainer { Shared(CommandLine()) }
        let error = try #require(failure { _ = try container.resolve.orThrow(Swift.CommandLine.self) })
        #expect(error.description.hasPrefix("Nothing is registered for CommandLine.\n"))
        #expect(error.suggestions.first?.hasPrefix("DependencyInjectionTests.CommandLine  (") == true)
    }

    /// Registers a type that has the name of another local type.
    private func registerSecret(in container: DIContainer) {
        struct Secret: Sendable {}
        container.register {
            Shared(Secret())
            New { (_, secrets: [Secret]) in Ticket(number: secrets.count) }
        }
    }

    @Test("Rule 18: a local type is distinguished from a type of the same name in another function")
    func localTypes() throws {
        struct Secret: Sendable {}
        let container = DIContainer()
        registerSecret(in: container)
        let missing = try #require(failure { _ = try container.resolve.orThrow(Secret.self) })
        #expect(missing.description.hasPrefix("Nothing is registered for SameNameTests.Secret.\n"))
        #expect(
            missing.suggestions.first?.hasPrefix("another DependencyInjectionTests.SameNameTests.Secret  (") == true)
        let mismatch = try #require(
            failure { _ = try container.resolve.orThrow(Ticket.self, arguments: [Secret()]) })
        #expect(
            mismatch.description.hasPrefix(
                """
                The factory of Ticket takes (Array<SameNameTests.Secret>), but the request supplied \
                (another Swift.Array<DependencyInjectionTests.SameNameTests.Secret>).

                """))
    }

    @Test("Rule 18: a nested type is named with the types around it, and without its module")
    func short() throws {
        let container = DIContainer {
            Shared(Settings.Cell())
            New { resolve in Settings.Model(cell: try resolve.orThrow(Settings.Cell.self, name: "main")) }
        }
        let error = try #require(failure { _ = try container.resolve.orThrow(Settings.Model.self) })
        #expect(error.key == "Settings.Cell named \"main\"" && error.path.map(\.key) == ["Settings.Model"])
        #expect(!error.description.contains("Tests.Settings."))
    }

    @Test("Rule 18: types with the same name are qualified in the path and in the text")
    func path() throws {
        let container = DIContainer {
            New { resolve -> Notes.Model in
                _ = try resolve.orThrow(Settings.Model.self)
                return Notes.Model(cell: Notes.Cell())
            }
        }
        let error = try #require(failure { _ = try container.resolve.orThrow(Notes.Model.self) })
        #expect(error.description.contains("\n    Notes.Model  (registered at "))
        #expect(error.description.contains("\n    → Settings.Model\n"))
        #expect(error.key == "Settings.Model" && error.path.map(\.key) == ["Notes.Model"])
        #expect(error.path.first?.description.hasPrefix("Notes.Model  (") == true)
    }

    @Test("Rule 18: the steps of a cycle are distinguished")
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
                "Circular dependency: Notes.Cell → Settings.Cell → Notes.Cell\n"))
        #expect(error.description.contains("inject a `Provider<Notes.Cell>`"))
    }

    @Test("Rule 18: argument types with the same name are qualified in text and reason")
    func arguments() throws {
        let container = DIContainer { New { (_, cells: [Notes.Cell]) in Ticket(number: cells.count) } }
        let error = try #require(
            failure { _ = try container.resolve.orThrow(Ticket.self, arguments: [Settings.Cell()]) })
        #expect(
            error.description.hasPrefix(
                """
                The factory of Ticket takes (Array<Notes.Cell>), but the request supplied \
                (Array<Settings.Cell>).

                """))
        #expect(error.description.contains("`Provider<Ticket, Array<Notes.Cell>>`"))
    }

    @Test("Rule 18: an alias is distinguished from an instance of another type")
    func mismatch() throws {
        let container = DIContainer { Shared(Settings.Cell(), as: Notes.Cell.self) }
        let error = try #require(failure { _ = try container.resolve.orThrow(Notes.Cell.self) })
        #expect(
            error.description.hasPrefix(
                "Settings.Cell is registered as Notes.Cell, to which it does not conform."))
        #expect(
            error.description.contains(
                "fix: register an instance that conforms to Notes.Cell\n   or: remove Notes.Cell from `as:`"))
    }

    @Test("Rule 18: an array of an unregistered type gets no advice for another type")
    func array() throws {
        let container = DIContainer { Shared(Settings.Cell()) }
        let error = try #require(failure { _ = try container.resolve.orThrow([Notes.Cell].self) })
        #expect(!error.description.contains("add `as:"))
        #expect(error.description.hasPrefix("Nothing is registered for Array<Notes.Cell>.\n"))
    }

    @Test("Rule C11: unprepared types are distinguished in the whole report")
    func preparing() async throws {
        let container = DIContainer {
            Shared(async: { _ -> Notes.Cell in throw Sabotage() })
            Shared(async: { _ -> Settings.Cell in throw Sabotage() })
        }
        let error = await #expect(throws: PreparationError.self) { try await container.prepare() }
        let text = try #require(error).description
        #expect(text.contains(". The factory of Notes.Cell failed: sabotaged\n"))
        #expect(text.contains(". The factory of Settings.Cell failed: sabotaged\n"))
        #expect(error?.failures.map(\.key) == ["Notes.Cell", "Settings.Cell"])
    }
}
