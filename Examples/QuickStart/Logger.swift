protocol Logger: Sendable {
    func log(_ level: LogLevel, _ message: String)
}

enum LogLevel: String, Decodable {
    case debug, info, warning

    var severity: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        }
    }
}

/// Writes everything to standard error, so that standard output holds results only.
struct ConsoleLogger: Logger {
    func log(_ level: LogLevel, _ message: String) {
        Terminal.complain("[\(level)] \(message)")
    }
}

/// Passes on what is severe enough.
struct ThresholdLogger: Logger {
    let minimum: LogLevel
    let base: any Logger

    func log(_ level: LogLevel, _ message: String) {
        if level.severity >= minimum.severity { base.log(level, message) }
    }
}
