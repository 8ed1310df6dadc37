import Testing

/// How the server is put together. Both ways have to behave the same.
enum Wiring: String, CaseIterable, CustomTestStringConvertible {
    case container
    case byHand

    /// What the command line says for it.
    var arguments: [String] {
        switch self {
        case .container: []
        case .byHand: ["--by-hand"]
        }
    }

    var testDescription: String { rawValue }
}
