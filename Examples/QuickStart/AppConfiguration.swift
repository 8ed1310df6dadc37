import Foundation

/// The content of the `configuration.json` that ships with the app.
struct AppConfiguration: Decodable {
    let title: String
    let logLevel: LogLevel
    let searchLimit: Int
    let notes: [Note]
}

extension AppConfiguration {
    init(fromBundle bundle: Bundle, logger: any Logger) throws(ConfigurationError) {
        guard let file = bundle.url(forResource: "configuration", withExtension: "json") else {
            throw .missing(directory: bundle.bundlePath)
        }
        logger.log(.debug, "Reading \(file.path).")
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
        } catch {
            throw .unreadable(file: file.path, reason: "\(error)")
        }
        guard searchLimit > 0 else {
            throw .unreadable(file: file.path, reason: "searchLimit must be positive, but is \(searchLimit)")
        }
    }
}

enum ConfigurationError: Error, CustomStringConvertible {
    case missing(directory: String)
    case unreadable(file: String, reason: String)

    var description: String {
        switch self {
        case .missing(let directory): "there is no configuration.json in \(directory)"
        case .unreadable(let file, let reason): "\(file) is not a valid configuration: \(reason)"
        }
    }
}
