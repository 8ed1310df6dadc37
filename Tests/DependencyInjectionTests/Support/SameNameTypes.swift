// Pairs of types with the same name in different enclosing types.

enum Notes {
    struct Cell: Sendable, Caption {}
    struct List<Element>: Sendable { struct Row: Sendable {} }
    protocol Caption: Sendable {}
    final class Model: Sendable {
        let cell: Cell
        init(cell: Cell) { self.cell = cell }
    }
}

enum Settings {
    struct Cell: Sendable {}
    protocol Caption: Sendable {}
    final class Model: Sendable {
        let cell: Cell
        init(cell: Cell) { self.cell = cell }
    }
}

/// A type with the same name as one in the standard library.
struct CommandLine: Sendable {}
