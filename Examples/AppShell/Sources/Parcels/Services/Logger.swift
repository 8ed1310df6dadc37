import Foundation

nonisolated protocol Logger: Sendable {
    func log(_ message: String)
}

/// A logger that writes to standard error, so that standard output contains results only.
nonisolated struct ConsoleLogger: Logger {
    func log(_ message: String) {
        // An error can't be reported after the terminal has been closed.
        try? FileHandle.standardError.write(contentsOf: Data("[parcels] \(message)\n".utf8))
    }
}
