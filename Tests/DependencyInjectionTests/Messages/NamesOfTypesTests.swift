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
private struct Sized<let size: Int> {}
private struct Packed<First, each Element> {}
private struct `raw name` {
    struct `is <odd>` {}
    struct `a.b` {}
}

extension Array { fileprivate struct Extra {} }

@Suite("Names of types in a text")
struct TypeNameTests {
    @Test(
        "Rule 18: names are compared by the number of changed letters",
        arguments: [
            ("logger", "logger", 0), ("", "log", 3), ("log", "", 3), ("xlogger", "logger", 1), ("logger", "xlogger", 1),
            ("logger", "loger", 1), ("kitten", "sitting", 3), ("ab", "ba", 2),
        ])
    func changes(_ first: String, _ second: String, _ count: Int) {
        #expect(first.changes(to: second) == count)
    }

    @Test("types with one short name in a text are named with their modules")
    func modules() {
        let numbers: [any Any.Type] = [Int128.self, Swift.Int128.self]
        let names = numbers.map(TypeNameFormatter(disambiguating: numbers).name)
        #expect(names == ["DependencyInjectionTests.Int128", "Swift.Int128"])
        // The same type, and types that are named with different enclosing types, need no module.
        let rooms: [any Any.Type] = [Kitchen.Missing.self, Garden.Missing.self, Kitchen.Missing.self]
        let shortNames = rooms.map(TypeNameFormatter(disambiguating: rooms).name)
        #expect(shortNames == ["Kitchen.Missing", "Garden.Missing", "Kitchen.Missing"])
    }

    @Test("the metatype of a protocol or a function has parentheses")
    func metatypes() {
        #expect(TypeName.metatype((any Engine).self) == "(any Engine).self")
        #expect(TypeName.metatype((() -> Kitchen.Missing).self) == "(() -> Kitchen.Missing).self")
    }

    protocol Relation<Key, Value> {
        associatedtype Key
        associatedtype Value
    }

    @Test("types of every kind are named as code writes them, also private and local protocols with arguments")
    func kinds() {
        protocol Local<Key> { associatedtype Key }
        for (name, type) in [
            "Int": Int.self,
            "()": Void.self,
            "Any": Any.self,
            "any Any.Type": Any.Type.self,
            "AnyObject": AnyObject.self,
            "String.Index": Substring.Index.self,
            "Dictionary<String, Optional<Kitchen.Missing>>": [String: Kitchen.Missing?].self,
            "(Int, label: Kitchen.Missing)": (Int, label: Kitchen.Missing).self,
            "Kitchen.Missing.Type": Kitchen.Missing.Type.self,
            "Optional<Error>": (any Error)?.self,
            "Hidden": Hidden.self,
            "Hidden.Part": Hidden.Part.self,
            "Drawer.Hidden": Drawer.Hidden.self,
            "Array<Int>.Extra": [Int].Extra.self,
            "Result<Optional<Hidden.Part>, Never>.Type": Result<Hidden.Part?, Never>.Type.self,
            "`raw name`.`is <odd>`": `raw name`.`is <odd>`.self,
            "`raw name`.`a.b`": `raw name`.`a.b`.self,
            "Sized<3>": Sized<3>.self,
            "Packed<Int>": Packed<Int>.self,
            "Packed<Int, Hidden, Array<Drawer.Hidden>>": Packed<Int, Hidden, [Drawer.Hidden]>.self,
            "() -> Int": (() -> Int).self,
            "((Kitchen.Missing) -> Int) -> @Sendable () -> Int":
                (((Kitchen.Missing) -> Int) -> @Sendable () -> Int).self,
            "@MainActor @Sendable (inout Int) async throws -> Kitchen.Missing":
                (@MainActor (inout Int) async throws -> Kitchen.Missing).self,
            "@convention(c) (Int) -> Int": (@convention(c) (Int) -> Int).self,
            "() throws(CancellationError) -> ()": (() throws(CancellationError) -> Void).self,
            "() async -> ()": (@concurrent () async -> Void).self,
            "nonisolated(nonsending) () async -> ()": (nonisolated(nonsending) () async -> Void).self,
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
            "Array<Array<any Engine>>": [[any Engine]].self,
            "any Engine": (any Engine).self,
            "any Engine & Starter": (any Engine & Starter).self,
            "any Engine.Type": (any Engine.Type).self,
            "any Drawer.Relation<Int>": (any Drawer.Relation<Int>).self,
            "Array<any Drawer.Relation<Int>>": [any Drawer.Relation<Int>].self,
            "any Secretive & Drawer.Relation<Int>": (any Secretive & Drawer.Relation<Int>).self,
            "any Repository<String> & Drawer.Relation<Int>": (any Repository<String> & Drawer.Relation<Int>).self,
            "any Local<Int>": (any Local<Int>).self,
        ] as KeyValuePairs<String, any Any.Type> {
            #expect(TypeName.short(type) == name)
            #expect(!TypeName.full(type).contains(/unknown context|Pack\{|Self\./), "\(name)")
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

    /// An instance whose type has the name of another local type.
    private var secret: some Sendable {
        struct Secret: Sendable {}
        return Secret()
    }

    @Test("A type whose full name another local type also has is called another one")
    func localTypes() throws {
        struct Secret: Sendable {}
        let (other, full) = (secret, "DependencyInjectionTests.SameNameTests.Secret")
        let formatter = TypeNameFormatter(disambiguating: [Secret.self])
        #expect(formatter.name(Secret.self) == "SameNameTests.Secret")
        #expect(formatter.name(type(of: other)) == "another \(full)")
        let types: [any Any.Type] = [Secret.self, type(of: other)]
        #expect(types.map(TypeNameFormatter(disambiguating: types).name) == [full, full])
        let container = DIContainer { Shared(other) }
        let missing = try #require(container.error(of: Secret.self))
        #expect(missing.description.hasPrefix("Nothing is registered for SameNameTests.Secret.\n"))
        #expect(missing.suggestions.first?.hasPrefix("another \(full)  (") == true)
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
