import Foundation

/// A row with its measurement and the comparison with its target.
struct Outcome: Encodable {
    enum Verdict: String, Encodable {
        case met
        case missed
        /// The row has no target.
        case information
        /// A quick run, whose numbers aren't reliable.
        case notJudged = "not judged"
        /// A measurement that this platform doesn't support.
        case notMeasured = "not measured"
    }

    let name: String
    let value: Double?
    let unit: Unit?
    let baseline: Double?
    let baselineName: String?
    let others: [String: Double]
    let score: Double?
    let scoreUnit: Unit?
    let target: String?
    let verdict: Verdict

    init(_ row: Row, _ measurement: Measurement?, isJudged: Bool) {
        name = row.name
        value = measurement?.value
        unit = measurement?.unit
        baseline = measurement?.baseline
        baselineName = measurement?.baselineName
        others = measurement?.others ?? [:]
        score = measurement?.score
        scoreUnit = measurement?.scoreUnit
        target = row.target?.text
        verdict =
            switch (measurement, row.target) {
            case (nil, _): .notMeasured
            case (_, nil): .information
            case (let measurement?, let target?):
                !isJudged ? .notJudged : target.isMet(by: measurement.score) ? .met : .missed
            }
    }

    /// Returns the outcomes as JSON, for tools.
    static func json(_ outcomes: [Outcome]) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(outcomes)
    }
}
