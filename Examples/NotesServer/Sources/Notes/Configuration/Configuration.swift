import Foundation

/// The configuration of the server, which a file can change while the server runs.
public struct Configuration: Equatable, Sendable {
    /// The maximum size of a request's body.
    public private(set) var maximumBodyBytes = 65_536
    /// The default number of notes on a page.
    public private(set) var pageSize = 20
    /// The maximum number of notes on a page.
    public private(set) var maximumPageSize = 100
    /// The number of connections for reading the database. It only has an effect at the start.
    public private(set) var connections = 4
    /// The time limit in seconds for a client to send a request.
    public private(set) var requestSeconds = 10

    /// Creates the configuration of a server without a file.
    public init() {}

    /// Returns the configuration in a file, if one is given. Keys that the file doesn't contain have their default
    /// values.
    public static func load(_ file: String?) async throws(ConfigurationError) -> Configuration {
        guard let file else { return Configuration() }
        do {
            return try Configuration(json: Data(contentsOf: URL(filePath: file)))
        } catch let error as ConfigurationError {
            throw ConfigurationError(reason: "\(file): \(error.reason)")
        } catch {
            throw ConfigurationError(reason: "\(file): \(error.localizedDescription)")
        }
    }

    /// Creates a configuration from JSON, in which every key must be known.
    init(json: Data) throws(ConfigurationError) {
        var numbers: [String: Int]
        do { numbers = try JSONDecoder().decode([String: Int].self, from: json) } catch {
            throw ConfigurationError(reason: "this is no JSON object with whole numbers")
        }
        func take(_ key: String, _ range: ClosedRange<Int>, _ value: inout Int) throws(ConfigurationError) {
            guard let number = numbers.removeValue(forKey: key) else { return }
            guard range.contains(number) else {
                throw ConfigurationError(
                    reason: "\(key) is \(number), and must be from \(range.lowerBound) to \(range.upperBound)")
            }
            value = number
        }
        try take("maximumBodyBytes", 1...16_777_216, &maximumBodyBytes)
        try take("pageSize", 1...1_000, &pageSize)
        try take("maximumPageSize", 1...1_000, &maximumPageSize)
        try take("connections", 1...64, &connections)
        try take("requestSeconds", 1...3_600, &requestSeconds)
        if let key = numbers.keys.min() { throw ConfigurationError(reason: "nothing is called \(key)") }
        guard pageSize <= maximumPageSize else {
            throw ConfigurationError(reason: "pageSize is \(pageSize), and maximumPageSize is \(maximumPageSize)")
        }
    }
}

/// The reason why a configuration is invalid.
public struct ConfigurationError: Error, CustomStringConvertible {
    /// The reason as a sentence.
    public let reason: String

    /// The reason.
    public var description: String { reason }
}
