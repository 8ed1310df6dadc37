import Testing

@testable import DependencyInjection

private struct Hidden: Sendable { struct Part: Sendable {} }
private enum Drawer { fileprivate struct Hidden: Sendable {} }
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

    private typealias Nested = ((Notes.Cell) -> Int) -> @Sendable () -> Int
    private typealias Isolated = @MainActor (inout Int) async throws -> Notes.Cell

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
                #expect(!name.contains("unknown context") && !name.contains("Pack{") && !name.contains("Self."))
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
        #expect(TypeName.short([any Notes.Caption].self) == "Array<any Notes.Caption>")
        #expect(TypeName.short([[any Notes.Caption]].self) == "Array<Array<any Notes.Caption>>")
        #expect(TypeName.short((any Notes.Caption).self) == "any Notes.Caption")
        #expect(TypeName.short(Any.self) == "Any" && TypeName.short(AnyObject.self) == "AnyObject")
    }
}
