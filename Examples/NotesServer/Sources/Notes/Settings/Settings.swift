import Configuration

/// The settings of the server, which a file can change while the server runs.
public struct Settings: Equatable, Sendable {
    /// The maximum size of a request's body.
    var maximumBodyBytes = 65_536
    /// The default number of notes on a page.
    var pageSize = 20
    /// The maximum number of notes on a page.
    var maximumPageSize = 100
    /// The number of connections for reading the database. It only has an effect at the start.
    var connections = 4
    /// The time limit in seconds for a client to send a request.
    var requestSeconds = 10
}

extension Settings {
    /// Creates the settings in a snapshot of a file. Missing keys have their default values.
    init(_ snapshot: any ConfigSnapshot) throws {
        self.init()
        func read(_ key: String, _ range: ClosedRange<Int>, _ value: inout Int) throws {
            guard let found = try snapshot.value(forKey: AbsoluteConfigKey([key]), type: .int).value else { return }
            guard case .int(let number) = found.content, range.contains(number) else {
                throw InvalidInput(description: "\(key) is not from \(range.lowerBound) to \(range.upperBound).")
            }
            value = number
        }
        try read("maximumBodyBytes", 1...16_777_216, &maximumBodyBytes)
        try read("pageSize", 1...1_000, &pageSize)
        try read("maximumPageSize", 1...1_000, &maximumPageSize)
        try read("connections", 1...64, &connections)
        try read("requestSeconds", 1...3_600, &requestSeconds)
        guard pageSize <= maximumPageSize else {
            throw InvalidInput(description: "pageSize is \(pageSize), and maximumPageSize is \(maximumPageSize).")
        }
    }
}

/// The reason why the settings or the name of a user are invalid.
struct InvalidInput: Error, CustomStringConvertible {
    let description: String
}
