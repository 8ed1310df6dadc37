import Foundation

nonisolated protocol Logger: Sendable {
    func log(_ message: String)
}

/// Writes to standard error, so that standard output holds results only.
nonisolated struct ConsoleLogger: Logger {
    func log(_ message: String) {
        // There is nobody left to tell when the terminal is gone.
        try? FileHandle.standardError.write(contentsOf: Data("[parcels] \(message)\n".utf8))
    }
}
