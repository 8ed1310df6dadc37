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

/// A logger that writes to standard error, so that standard output contains results only.
struct ConsoleLogger: Logger {
    func log(_ level: LogLevel, _ message: String) {
        Terminal.showError("[\(level)] \(message)")
    }
}

/// A logger that forwards messages of sufficient severity.
struct ThresholdLogger: Logger {
    let minimum: LogLevel
    let base: any Logger

    func log(_ level: LogLevel, _ message: String) {
        if level.severity >= minimum.severity { base.log(level, message) }
    }
}
