// Types that have the same names, in two places each.

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

/// The standard library has one, too.
struct CommandLine: Sendable {}
