import DependencyInjectionDiagnostics
import Foundation
import Testing

@testable import DependencyInjection

// Pairs of types with the same name in different enclosing types.

enum Notes {
    struct Cell: Caption {}
    protocol Caption {}
}

enum Settings {
    struct Cell {}
    protocol Caption {}
}

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
        typealias Cell = Notes.Cell
        #expect(names(Cell.self, (any Notes.Caption).self, (any Settings.Caption).self)[0] == "Notes.Cell")
        #expect(
            names([Cell].self, Cell?.self, Cell.self) == ["Array<Notes.Cell>", "Optional<Notes.Cell>", "Notes.Cell"])
        #expect(names(Cell.self, Cell.self) == ["Notes.Cell", "Notes.Cell"])
    }

    @Test("types of a list, or beside another type, are named with their modules if they have one short name")
    func modules() {
        #expect(names(Int128.self, Swift.Int128.self) == ["DependencyInjectionTests.Int128", "Swift.Int128"])
        #expect(names(Notes.Cell.self, Settings.Cell.self, Int.self) == ["Notes.Cell", "Settings.Cell", "Int"])
        #expect(names(Settings.Cell.self, Notes.Cell.self, Settings.Cell.self)[2] == "Settings.Cell")
        for other in [[Notes.Cell.self], [Settings.Cell.self], [Int.self], []] as [[any Any.Type]] {
            let formatter = TypeNameFormatter(disambiguating: other)
            #expect(formatter.name(Settings.Cell.self) == "Settings.Cell", "\(other)")
        }
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
        let captions: [any Any.Type] = [(any Notes.Caption).self, (any Settings.Caption).self]
        let formatter = TypeNameFormatter(disambiguating: captions)
        #expect(captions.map(formatter.name) == ["any Notes.Caption", "any Settings.Caption"])
        #expect(TypeNameFormatter(disambiguating: [captions[1]]).name(captions[0]) == "any Notes.Caption")
        #expect(TypeName.metatype((any Notes.Caption).self) == "(any Notes.Caption).self")
        #expect(TypeName.metatype((() -> Notes.Cell).self) == "(() -> Notes.Cell).self")
    }

    @Test("private, local and extension types are named without hidden parts")
    func hidden() {
        #expect(names(Hidden.self, Drawer.Hidden.self) == ["Hidden", "Drawer.Hidden"])
        #expect(names([Int].Extra.self, [String].Extra.self) == ["Array<Int>.Extra", "Array<String>.Extra"])
        struct Cell: Sendable {}
        let local = names(Cell.self, Notes.Cell.self)
        #expect(!local[0].contains("unknown context"))
        #expect(local[1] == "Notes.Cell")
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
    }

    @Test("types of every kind are named as code writes them, also private and local protocols with arguments")
    func kinds() {
        protocol Local<Key> { associatedtype Key }
        for (name, type) in [
            "`raw name`.`is <odd>`": `raw name`.`is <odd>`.self,
            "`raw name`.`a.b`": `raw name`.`a.b`.self,
            "Packed<Int>": Packed<Int>.self,
            "Packed<Int, String>": Packed<Int, String>.self,
            "any Sequence<Int>": (any Sequence<Int>).self,
            "any CustomStringConvertible & Repository<Int>": (any Repository<Int> & CustomStringConvertible).self,
            "any CustomStringConvertible & Collection<any Sequence<Int>>":
                (any Collection<any Sequence<Int>> & CustomStringConvertible).self,
            "any Repository<Int> & Sequence<Array<() -> Bool>>": (any Repository<Int> & Sequence<[() -> Bool]>).self,
            "any Repository<any Sequence<Int>> & TypeNameTests.Relation<Int, Hidden>":
                (any Repository<any Sequence<Int>> & Relation<Int, Hidden>).self,
            "Packed<Repository & Sequence, any Repository<Int> & Sequence<String>>":
                Packed<any Repository & Sequence, any Repository<Int> & Sequence<String>>.self,
            "Optional<Array<any Repository<Int>>>": [any Repository<Int>]?.self,
            "Array<any Notes.Caption>": [any Notes.Caption].self,
            "Array<Array<any Notes.Caption>>": [[any Notes.Caption]].self,
            "any Notes.Caption": (any Notes.Caption).self,
            "Any": Any.self,
            "AnyObject": AnyObject.self,
            "any HiddenRelation<Int, Hidden>": (any HiddenRelation<Int, Hidden>).self,
            "any Drawer.Relation<Int>": (any Drawer.Relation<Int>).self,
            "Array<any Drawer.Relation<Int>>": [any Drawer.Relation<Int>].self,
            "any Secretive & Drawer.Relation<Int>": (any Secretive & Drawer.Relation<Int>).self,
            "any Repository<String> & Drawer.Relation<Int>": (any Repository<String> & Drawer.Relation<Int>).self,
            "any Local<Int>": (any Local<Int>).self,
        ] as KeyValuePairs<String, any Any.Type> {
            #expect(TypeName.short(type) == name)
        }
    }
}

/// Texts about `Int128` and `Swift.Int128`.
@Suite("Rule 18: types with the same name in a text")
struct SameNameTests {
    private let name = "DependencyInjectionTests.Int128"

    /// A container that lacks the one type, and registers the other.
    private let lacking = DIContainer {
        Shared(Int128())
        Shared(autowiring: { (_: Swift.Int128) in 1.5 })
    }

    @Test("The error and the finding distinguish the missing type from the registered one")
    func missing() throws {
        let error = try #require(lacking.error(of: Swift.Int128.self))
        #expect(error.description.hasPrefix("Nothing is registered for Int128.\n"))
        #expect(error.suggestions.map { $0.prefix { $0 != " " } } == [name[...]])
        let array = try #require(lacking.error(of: [Swift.Int128].self))
        #expect(!array.description.contains("add `as:"))
        let finding = try only(lacking).description
        #expect(finding.hasPrefix("Nothing is registered for Swift.Int128, which Double needs."))
        #expect(finding.contains("\n  similar registrations:\n    \(name)  (registered at "))
    }

    @Test("A diagram distinguishes its nodes, also the missing ones")
    func graph() {
        let graph = lacking.graph
        let tree = graph.description.split(separator: "\n").dropLast().map {
            $0.components(separatedBy: "  (registered at")[0]
        }
        #expect(tree == ["Shared \(name)", "Shared Double", "  Swift.Int128  (missing)"])
        #expect(graph.mermaid().contains("n0[\"Shared \(name)<br/>"))
        #expect(graph.mermaid().contains("x0[\"Swift.Int128<br/>missing\"]"))
        #expect(graph.dot().contains("n0 [label=\"Shared \(name)\\n"))
        #expect(graph.dot().contains("x0 [label=\"Swift.Int128\\nmissing\""))
    }

    /// Registers a type that has the name of another local type.
    private func registerSecret(in container: DIContainer) {
        struct Secret: Sendable {}
        container.register {
            Shared(Secret())
            New { (_, secrets: [Secret]) in Ticket(number: secrets.count) }
        }
    }

    @Test("A local type is distinguished from a type of the same name in another function")
    func localTypes() throws {
        struct Secret: Sendable {}
        let container = DIContainer()
        registerSecret(in: container)
        let missing = try #require(container.error(of: Secret.self))
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

    @Test("The steps of a path and of a cycle are distinguished")
    func path() throws {
        let container = DIContainer {
            New { resolve -> Swift.Int128 in
                _ = try resolve.orThrow(Int128.self)
                return 1
            }
        }
        let error = try #require(container.error(of: Swift.Int128.self))
        #expect(error.description.contains("\n    Swift.Int128  (registered at "))
        #expect(error.description.contains("\n    → Int128\n"))
        container.register(
            New { resolve in
                _ = try resolve.orThrow(Swift.Int128.self)
                return Int128()
            })
        let cycle = try #require(container.error(of: Int128.self))
        #expect(cycle.description.hasPrefix("Circular dependency: Int128 → Swift.Int128 → Int128\n"))
        #expect(cycle.description.contains("inject a `Provider<Int128>`"))
    }

    @Test("The error, the finding and the registration distinguish an alias from its instance")
    func aliases() throws {
        let registration = Shared(Int128(), as: Swift.Int128.self)
        let container = DIContainer { registration }
        let error = try #require(container.error(of: Swift.Int128.self)).description
        #expect(error.hasPrefix("\(name) is registered as Int128, to which it does not conform."))
        #expect(try only(container).description.hasPrefix("\(name) is registered with Swift.Int128 in `as:`, "))
        let alias = try #require(registration.registrations.last).description
        #expect(alias.hasPrefix("Int128: alias of \(name), registered at "))
    }

    @Test("The error and the finding distinguish arguments. Findings about two types are two findings")
    func arguments() throws {
        let container = DIContainer { New { (_, numbers: [Int128]) in Ticket(number: numbers.count) } }
        let error = failure { _ = try container.resolve.orThrow(Ticket.self, arguments: [1 as Swift.Int128]) }
        #expect(
            error?.description.hasPrefix(
                "The factory of Ticket takes (Array<Int128>), but the request supplied (Swift.Array<Swift.Int128>).\n"
            ) == true)
        let one = DIContainer {
            New { (_, _: Int128) in Ticket(number: 1) }
            Shared(autowiring: { (_: Provider<Ticket, Swift.Int128>) in 1.5 })
        }
        let finding = try only(one).description
        #expect(finding.hasPrefix("Double needs Ticket, whose factory takes (\(name)), and supplies (Swift.Int128)."))
        let two = DIContainer {
            New { (_, number: Int) in Ticket(number: number) }
            Shared(autowiring: { (_: Provider<Ticket, Int128>, _: Provider<Ticket, Swift.Int128>) in 1.5 })
        }
        #expect(findings(two).count == 2)
    }

    @Test("Rule C11: Types whose factories fail are distinguished in the whole report, and are two findings")
    func failures() async throws {
        let container = DIContainer {
            Shared(async: { _ -> Int128 in throw Sabotage() })
            Shared(async: { _ -> Swift.Int128 in throw Sabotage() })
        }
        let error = await #expect(throws: PreparationError.self) { try await container.prepare() }
        let text = try #require(error).description
        #expect(text.contains(". The factory of \(name) failed: sabotaged\n"))
        #expect(text.contains(". The factory of Swift.Int128 failed: sabotaged\n"))
        container.register(Shared { _ -> Int128 in throw Sabotage() }, Shared { _ -> Swift.Int128 in throw Sabotage() })
        let kinds = await builtFindings(container).map(\.kind).filter { $0 != .replaced }
        #expect(kinds == [.error(.factoryFailed), .error(.factoryFailed)])
    }
}
