import Testing

/// The wiring of the server. Both kinds have to behave the same.
enum Wiring: String, CaseIterable, CustomTestStringConvertible {
    case container
    case byHand

    /// The command line for this wiring.
    var arguments: [String] {
        switch self {
        case .container: []
        case .byHand: ["--by-hand"]
        }
    }

    var testDescription: String { rawValue }
}
