import Foundation

/// Says how the server is set up; a file may change it while the server runs.
public struct Configuration: Equatable, Sendable {
    /// The largest body of a request.
    public private(set) var maximumBodyBytes = 65_536
    /// How many notes a page has if nobody says.
    public private(set) var pageSize = 20
    /// How many notes a page may have.
    public private(set) var maximumPageSize = 100
    /// How many connections read the database. It counts at the start only.
    public private(set) var connections = 4
    /// How long a client may take to send a request.
    public private(set) var requestSeconds = 10

    /// Makes the configuration of a server without a file.
    public init() {}

    /// Reads a file, if one is given. What it does not say stays as it is without one.
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

    /// Reads a configuration, in which every key must be known.
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

/// Says what is wrong with a configuration.
public struct ConfigurationError: Error, CustomStringConvertible {
    /// A sentence about it.
    public let reason: String

    /// The same sentence.
    public var description: String { reason }
}
