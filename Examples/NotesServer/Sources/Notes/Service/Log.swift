import Foundation

/// A log for the events of a running server.
public protocol Log: Sendable {
    /// Writes one line with an event, followed by names and values.
    func write(_ event: String, _ fields: KeyValuePairs<String, String>)
}

/// A log that writes each line to standard error in one call, so that lines don't mix.
public struct StandardErrorLog: Log {
    /// Creates a log.
    public init() {}

    public func write(_ event: String, _ fields: KeyValuePairs<String, String>) {
        var line = event
        for (name, value) in fields { line += " \(name)=\(Self.quotedIfNeeded(value))" }
        // An error can't be reported after standard error has been closed.
        try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
    }

    /// Escapes a value from a client so that it ends neither a line nor another value: special characters become
    /// numbers, and text with spaces is quoted.
    static func quotedIfNeeded(_ value: String) -> String {
        let isPlain = value.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\"") }
        return isPlain && !value.isEmpty ? value : value.debugDescription
    }
}

extension Duration {
    /// The milliseconds with two decimal places, for a log.
    var milliseconds: String { String(format: "%.2f", self / .milliseconds(1)) }
}
