import Testing

/// The wiring of the server. Both wirings must behave identically.
enum Wiring: String, CaseIterable, CustomTestStringConvertible {
    case container
    case byHand

    /// The command-line arguments for the wiring.
    var arguments: [String] {
        switch self {
        case .container: []
        case .byHand: ["--by-hand"]
        }
    }

    var testDescription: String { rawValue }
}
