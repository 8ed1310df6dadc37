import Testing

@testable import DependencyInjection

private struct Hidden: Sendable { struct Part: Sendable {} }
private enum Drawer { fileprivate struct Hidden: Sendable {} }
private struct Sized<let size: Int> {}
private struct Packed<First, each Element> {}
private protocol Of<Element> { associatedtype Element }
private struct `raw name` { struct `is <odd>` {} }

extension Array { fileprivate struct Extra {} }

@Suite("Names of the types in one text")
struct TypeNamesTests {
    private func names(_ types: any Any.Type...) -> [String] {
        let names = TypeNames(types)
        return types.map { names[$0] }
    }

    @Test("what has a name of its own is named by that alone")
    func short() {
        #expect(names(Notes.Cell.self, Notes.Model.self, Settings.Model.self)[0] == "Cell")
        #expect(
            names([Notes.Cell].self, Notes.Cell?.self, Notes.Cell.self) == ["Array<Cell>", "Optional<Cell>", "Cell"])
    }

    @Test("types around them tell types apart, wherever a type stands in another")
    func enclosing() {
        #expect(names(Notes.Cell.self, Settings.Cell.self) == ["Notes.Cell", "Settings.Cell"])
        #expect(names([Notes.Cell].self, Settings.Cell?.self) == ["Array<Notes.Cell>", "Optional<Settings.Cell>"])
        #expect(names((Notes.Cell, Settings.Cell).self) == ["(Notes.Cell, Settings.Cell)"])
        #expect(
            names([Int: (Notes.Cell, Settings.Cell.Type)].self) == ["Dictionary<Int, (Notes.Cell, Settings.Cell.Type)>"]
        )
        typealias Change = @Sendable (inout Notes.Cell, Int...) throws -> Settings.Cell
        #expect(names(Change.self) == ["@Sendable (inout Notes.Cell, Int...) throws -> Settings.Cell"])
    }

    @Test("protocols are told apart, and stay protocols")
    func protocols() {
        let both = names((any Notes.Caption).self, (any Settings.Caption).self, (any Settings.Caption).Type.self)
        #expect(both == ["any Notes.Caption", "any Settings.Caption", "Settings.Caption.Protocol"])
        #expect(
            names((any Notes.Caption & Settings.Caption).self, Int.self)
                == ["any Notes.Caption & Settings.Caption", "Int"])
        let captions = TypeNames([(any Notes.Caption).self, (any Settings.Caption).self])
        #expect(captions.metatype((any Notes.Caption).self) == "(any Notes.Caption).self")
        #expect(
            names((any Of<Notes.Cell>).self, Settings.Cell.self)
                == ["any Of<Notes.Cell>", "Settings.Cell"])
    }

    @Test("modules tell types apart that nothing else does")
    func modules() {
        #expect(
            names(CommandLine.self, Swift.CommandLine.self)
                == ["DependencyInjectionTests.CommandLine", "Swift.CommandLine"])
    }

    @Test("types in generic types are told apart by the generic arguments, though their own names do not show these")
    func generic() {
        #expect(
            names(Notes.List<Int>.Row.self, Notes.List<String>.Row.self) == ["List<Int>.Row", "List<String>.Row"])
        #expect(
            names(Notes.List<Notes.Cell>.Row.self, Notes.List<Settings.Cell>.Row.self)
                == ["List<Notes.Cell>.Row", "List<Settings.Cell>.Row"])
        #expect(names([Int].Extra.self, [String].Extra.self) == ["Array<Int>.Extra", "Array<String>.Extra"])
    }

    @Test("private and local types are named without what no code can write")
    func hidden() {
        #expect(
            names(Hidden.self, Drawer.Hidden.self, Notes.Cell.self)
                == ["DependencyInjectionTests.Hidden", "Drawer.Hidden", "Cell"])
        struct Cell: Sendable { struct Model: Sendable {} }
        #expect(names(Cell.self, Notes.Cell.self) == ["TypeNamesTests.Cell", "Notes.Cell"])
        #expect(names(Cell.Model.self, Notes.Model.self) == ["Cell.Model", "Notes.Model"])
        func other() -> any Any.Type {
            struct Cell: Sendable {}
            return Cell.self
        }
        enum `Type` { enum Cell {} }
        #expect(names(Type.self, Type.Cell.self, Notes.Cell.self) == ["Type", "Type.Cell", "Notes.Cell"])
        // No code can name both.
        #expect(names(Cell.self, other()) == ["Cell", "Cell"])
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

    @Test("what has a name of its own keeps the name that the run time has for it, also beside what has not")
    func plain() {
        let names = TypeNames([Notes.Model.self, Settings.Model.self])
        func pair<T>(_ type: T.Type) -> any Any.Type { (T, Notes.Model).self }
        for type in Self.types {
            #expect(names[type] == TypeNames.short[type])
            let pair = _openExistential(type, do: pair)
            #expect(names[pair] == TypeNames.short[pair].replacing("Model)", with: "Notes.Model)"))
        }
    }
}
