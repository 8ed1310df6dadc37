/// An error of SQLite.
public struct SQLiteError: Error, CustomStringConvertible {
    /// The extended result code of SQLite.
    public let code: Int32
    /// The error message of SQLite.
    public let message: String

    /// The message with the code in parentheses.
    public var description: String { "\(message) (SQLite \(code))" }

    /// Whether a unique value already exists.
    public var isDuplicate: Bool { code == 2067 || code == 1555 }
}

extension SQLiteError {
    /// Whether another process has locked the file.
    public var isBusy: Bool { code & 0xff == 5 }
}
