import CSQLite

/// A connection of SQLite and its prepared statements. One thread at a time may use it.
final class Handle {
    private let pointer: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    init(path: String) throws {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        // A connection exists even after most failures, to retrieve the error message.
        guard let opened else { throw SQLiteError(code: code, message: "no memory for a connection") }
        guard code == SQLITE_OK else {
            let error = SQLiteError(code: code, message: "\(String(cString: sqlite3_errmsg(opened))): \(path)")
            sqlite3_close_v2(opened)
            throw error
        }
        pointer = opened
        // Another process that adds a user may be writing.
        sqlite3_busy_timeout(opened, 5_000)
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(pointer)
    }

    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(pointer) == 0 }

    var lastInsertedID: Int64 { sqlite3_last_insert_rowid(pointer) }
    var changedRows: Int { Int(sqlite3_changes(pointer)) }

    /// Runs several statements without parameters.
    func run(script: String) throws {
        try check(sqlite3_exec(pointer, script, nil, nil, nil))
    }

    @discardableResult
    func rows(_ sql: String, _ values: [SQLiteValue]) throws -> [SQLiteRow] {
        let statement = try prepared(sql)
        // Otherwise the statement would retain a snapshot and its values until its next use.
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        guard Int(sqlite3_bind_parameter_count(statement)) == values.count else {
            throw SQLiteError(code: SQLITE_RANGE, message: "the number of parameters isn't \(values.count): \(sql)")
        }
        for (index, value) in values.enumerated() { try bind(value, to: Int32(index + 1), of: statement) }
        var rows: [SQLiteRow] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: rows.append(row(of: statement))
            case SQLITE_DONE: return rows
            default: throw lastError
            }
        }
    }

    private func prepared(_ sql: String) throws -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var made: OpaquePointer?
        try check(sqlite3_prepare_v3(pointer, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil))
        guard let made else { throw SQLiteError(code: SQLITE_MISUSE, message: "no statement: \(sql)") }
        statements[sql] = made
        return made
    }

    private func bind(_ value: SQLiteValue, to index: Int32, of statement: OpaquePointer) throws {
        // -1 is SQLite's `SQLITE_TRANSIENT`, a cast that Swift doesn't import. It means that the value is copied during
        // the call.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        let code =
            switch value {
            case .null: sqlite3_bind_null(statement, index)
            case .integer(let integer): sqlite3_bind_int64(statement, index, integer)
            case .text(let text): sqlite3_bind_text(statement, index, text, Int32(text.utf8.count), copied)
            case .blob(let bytes):
                bytes.withUnsafeBytes {
                    sqlite3_bind_blob(statement, index, $0.baseAddress, Int32($0.count), copied)
                }
            }
        try check(code)
    }

    private func row(of statement: OpaquePointer) -> SQLiteRow {
        // SQLite retains the bytes until the next step, and they are copied before.
        func bytes(_ start: UnsafeRawPointer?, _ column: Int32) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        }
        func value(_ column: Int32) -> SQLiteValue {
            switch sqlite3_column_type(statement, column) {
            case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
            case SQLITE_TEXT:
                .text(String(decoding: bytes(sqlite3_column_text(statement, column), column), as: UTF8.self))
            case SQLITE_BLOB: .blob(Array(bytes(sqlite3_column_blob(statement, column), column)))
            default: .null
            }
        }
        return SQLiteRow(values: (0..<sqlite3_column_count(statement)).map(value))
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw lastError }
    }

    private var lastError: SQLiteError {
        SQLiteError(code: sqlite3_extended_errcode(pointer), message: String(cString: sqlite3_errmsg(pointer)))
    }
}
