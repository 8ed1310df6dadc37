import DependencyInjectionDiagnostics
import Foundation
import Testing

@testable import DependencyInjection

private struct Hidden: Sendable { struct Part: Sendable {} }
private enum Drawer {
    fileprivate struct Hidden: Sendable {}
    fileprivate protocol Relation<Key> { associatedtype Key }
}
private protocol Secretive {}
private protocol HiddenRelation<Key, Value> {
    associatedtype Key
    associatedtype Value
}
private struct Sized<let size: Int> {}
private struct Packed<First, each Element> {}
private struct `raw name` {
    struct `is <odd>` {}
    struct `a.b` {}
}

extension Array { fileprivate struct Extra {} }

@Suite("Names of types in a text")
struct TypeNameTests {
    private func names(_ types: any Any.Type...) -> [String] {
        types.map(TypeNameFormatter(disambiguating: types).name)
    }

    @Test(
        "Rule 18: names are compared by the number of changed letters",
        arguments: [
            ("logger", "logger", 0), ("", "log", 3), ("log", "", 3), ("xlogger", "logger", 1), ("logger", "xlogger", 1),
            ("logger", "loger", 1), ("kitten", "sitting", 3), ("ab", "ba", 2),
        ])
    func changes(_ first: String, _ second: String, _ count: Int) {
        #expect(first.changes(to: second) == count)
    }

    @Test("a nested type is named with the types around it")
    func short() {
        #expect(names(Notes.Cell.self, Notes.Model.self, Settings.Model.self)[0] == "Notes.Cell")
        #expect(
            names([Notes.Cell].self, Notes.Cell?.self, Notes.Cell.self) == [
                "Array<Notes.Cell>", "Optional<Notes.Cell>", "Notes.Cell",
            ])
        #expect(names(Notes.Cell.self, Notes.Cell.self) == ["Notes.Cell", "Notes.Cell"])
    }

    @Test("types of a list with one short name are named with their modules")
    func modules() {
        #expect(
            names(CommandLine.self, Swift.CommandLine.self)
                == ["DependencyInjectionTests.CommandLine", "Swift.CommandLine"])
        #expect(
            names(Notes.Cell.self, Settings.Cell.self, Int.self)
                == ["Notes.Cell", "Settings.Cell", "Int"])
        #expect(names(Settings.Cell.self, Notes.Cell.self, Settings.Cell.self)[2] == "Settings.Cell")
    }

    @Test("beside another type, only a type with the same short name is qualified")
    func beside() {
        #expect(TypeNameFormatter(disambiguating: [Notes.Cell.self]).name(Settings.Cell.self) == "Settings.Cell")
        #expect(TypeNameFormatter(disambiguating: [Settings.Cell.self]).name(Settings.Cell.self) == "Settings.Cell")
        #expect(TypeNameFormatter(disambiguating: [Int.self]).name(Settings.Cell.self) == "Settings.Cell")
        #expect(TypeNameFormatter().name(Settings.Cell.self) == "Settings.Cell")
    }

    @Test("a type whose full name another type also has is called another one")
    func another() {
        let (first, second, full) = (secret(), otherSecret(), "DependencyInjectionTests.TypeNameTests.Secret")
        #expect(TypeNameFormatter(disambiguating: [first]).name(first) == "TypeNameTests.Secret")
        #expect(TypeNameFormatter(disambiguating: [first]).name(second) == "another \(full)")
        #expect(names(first, second) == [full, full])
    }

    private func secret() -> any Any.Type {
        struct Secret {}
        return Secret.self
    }

    private func otherSecret() -> any Any.Type {
        struct Secret {}
        return Secret.self
    }

    @Test("protocols are distinguished, and printed with any")
    func protocols() {
        let both = names((any Notes.Caption).self, (any Settings.Caption).self)
        #expect(
            both == ["any Notes.Caption", "any Settings.Caption"])
        #expect(TypeName.metatype((any Notes.Caption).self) == "(any Notes.Caption).self")
        #expect(TypeName.metatype((() -> Notes.Cell).self) == "(() -> Notes.Cell).self")
        #expect(
            TypeNameFormatter(disambiguating: [(any Settings.Caption).self]).name((any Notes.Caption).self)
                == "any Notes.Caption")
    }

    @Test("private, local and extension types are named without hidden parts")
    func hidden() {
        #expect(
            names(Hidden.self, Drawer.Hidden.self)
                == ["Hidden", "Drawer.Hidden"])
        #expect(
            names([Int].Extra.self, [String].Extra.self)
                == ["Array<Int>.Extra", "Array<String>.Extra"])
        struct Cell: Sendable {}
        let local = names(Cell.self, Notes.Cell.self)
        #expect(!local[0].contains("unknown context"))
        #expect(local[1] == "Notes.Cell")
    }

    @Test("private and local protocols with arguments are named without hidden parts")
    func hiddenProtocols() {
        protocol Local<Key> { associatedtype Key }
        #expect(TypeName.short((any HiddenRelation<Int, Hidden>).self) == "any HiddenRelation<Int, Hidden>")
        #expect(TypeName.short((any Drawer.Relation<Int>).self) == "any Drawer.Relation<Int>")
        #expect(TypeName.short([any Drawer.Relation<Int>].self) == "Array<any Drawer.Relation<Int>>")
        #expect(
            TypeName.short((any Secretive & Drawer.Relation<Int>).self) == "any Secretive & Drawer.Relation<Int>")
        #expect(
            TypeName.short((any Repository<String> & Drawer.Relation<Int>).self)
                == "any Repository<String> & Drawer.Relation<Int>")
        #expect(TypeName.short((any Local<Int>).self) == "any Local<Int>")
    }

    private typealias Nested = ((Notes.Cell) -> Int) -> @Sendable () -> Int
    private typealias Isolated = @MainActor (inout Int) async throws -> Notes.Cell

    protocol Relation<Key, Value> {
        associatedtype Key
        associatedtype Value
    }

    private static let types: [any Any.Type] = [
        Int.self, [String: Notes.Cell?].self, (Int, label: Notes.Cell).self, Void.self, Any.self, AnyObject.self,
        Any.Type.self, Notes.Cell.Type.self, (any Notes.Caption).self, (any Notes.Caption).Type.self,
        (any Notes.Caption.Type).self, (any Notes.Caption & Settings.Caption).self, (any Error)?.self,
        ((Int) -> Void).self, Nested.self, Isolated.self, (@convention(c) (Int) -> Int).self,
        (() throws(CancellationError) -> Void).self, Hidden.self, Hidden.Part.self, Drawer.Hidden.self,
        Sized<3>.self, Packed<Int>.self, Packed<Int, Hidden, [Drawer.Hidden]>.self,
        `raw name`.`is <odd>`.self, Substring.Index.self,
        Result<Hidden.Part?, Never>.Type.self,
    ]

    @Test("no type name has parts that code cannot write")
    func plain() {
        for type in Self.types {
            for name in [TypeName.short(type), TypeName.full(type)] {
                #expect(
                    !name.contains("unknown context") && !name.contains("Pack{") && !name.contains("Self."), "\(name)")
            }
        }
        #expect(TypeName.short(`raw name`.`is <odd>`.self) == "`raw name`.`is <odd>`")
        #expect(TypeName.short(`raw name`.`a.b`.self) == "`raw name`.`a.b`")
        #expect(TypeName.short(Packed<Int>.self) == "Packed<Int>")
        #expect(TypeName.short(Packed<Int, String>.self) == "Packed<Int, String>")
        #expect(TypeName.short((any Sequence<Int>).self) == "any Sequence<Int>")
        #expect(
            TypeName.short((any Repository<Int> & CustomStringConvertible).self)
                == "any CustomStringConvertible & Repository<Int>")
        #expect(
            TypeName.short((any Collection<any Sequence<Int>> & CustomStringConvertible).self)
                == "any CustomStringConvertible & Collection<any Sequence<Int>>")
        #expect(
            TypeName.short((any Repository<Int> & Sequence<[() -> Bool]>).self)
                == "any Repository<Int> & Sequence<Array<() -> Bool>>")
        #expect(
            TypeName.short((any Repository<any Sequence<Int>> & Relation<Int, Hidden>).self)
                == "any Repository<any Sequence<Int>> & TypeNameTests.Relation<Int, Hidden>")
        #expect(
            TypeName.short(Packed<any Repository & Sequence, any Repository<Int> & Sequence<String>>.self)
                == "Packed<Repository & Sequence, any Repository<Int> & Sequence<String>>")
        #expect(TypeName.short([any Repository<Int>]?.self) == "Optional<Array<any Repository<Int>>>")
        #expect(TypeName.short([any Notes.Caption].self) == "Array<any Notes.Caption>")
        #expect(TypeName.short([[any Notes.Caption]].self) == "Array<Array<any Notes.Caption>>")
        #expect(TypeName.short((any Notes.Caption).self) == "any Notes.Caption")
        #expect(TypeName.short(Any.self) == "Any" && TypeName.short(AnyObject.self) == "AnyObject")
    }
}

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
