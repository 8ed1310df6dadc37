import Foundation

/// Takes what is worth knowing about a running server.
public protocol Log: Sendable {
    /// Writes one line: what happened, and about it names and values.
    func write(_ event: String, _ fields: KeyValuePairs<String, String>)
}

/// Writes each line to standard error at once, so that lines do not mix.
public struct StandardErrorLog: Log {
    /// Makes a log.
    public init() {}

    public func write(_ event: String, _ fields: KeyValuePairs<String, String>) {
        var line = event
        for (name, value) in fields { line += " \(name)=\(Self.quotedIfNeeded(value))" }
        // There is nobody left to tell when standard error is gone.
        try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
    }

    /// What a client sends ends no line and no value: all but plain characters stand as numbers, and spaces in quotes.
    static func quotedIfNeeded(_ value: String) -> String {
        let isPlain = value.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\"") }
        return isPlain && !value.isEmpty ? value : value.debugDescription
    }
}

extension Duration {
    /// The milliseconds with two digits, for a log.
    var milliseconds: String { String(format: "%.2f", self / .milliseconds(1)) }
}
