/// A value that a statement takes or returns.
public enum SQLiteValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
}

extension SQLiteValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    /// Creates an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// Creates a text.
    public init(stringLiteral value: String) { self = .text(value) }
}

/// A row that a statement returns.
public struct SQLiteRow: Sendable {
    let values: [SQLiteValue]

    /// Returns the integer in a column. The first column is 0.
    public func integer(_ column: Int) throws -> Int64 {
        guard case .integer(let value) = values[column] else { throw mismatch(column, "an integer") }
        return value
    }

    /// Returns the text in a column. The first column is 0.
    public func text(_ column: Int) throws -> String {
        guard case .text(let value) = values[column] else { throw mismatch(column, "a text") }
        return value
    }

    private func mismatch(_ column: Int, _ expected: String) -> SQLiteError {
        SQLiteError(code: 20, message: "column \(column) is not \(expected), but \(values[column])")
    }
}
