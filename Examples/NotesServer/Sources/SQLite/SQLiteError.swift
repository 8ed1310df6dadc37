/// Says what SQLite refused.
public struct SQLiteError: Error, CustomStringConvertible {
    /// The extended result code of SQLite.
    public let code: Int32
    /// What SQLite says about it.
    public let message: String

    /// Both, with the code in parentheses.
    public var description: String { "\(message) (SQLite \(code))" }

    /// Tells whether the error is that a value exists already that may exist once.
    public var isDuplicate: Bool { code == 2067 || code == 1555 }
}

extension SQLiteError {
    /// Tells whether another process keeps the file for itself.
    public var isBusy: Bool { code & 0xff == 5 }
}
