import Foundation

/// A printer for outcomes as a table in valid Markdown.
enum Table {
    private static let heading = ["row", "per operation", "baseline", "ratio", "target", "verdict"]

    static func text(_ outcomes: [Outcome]) -> String {
        let lines = [heading] + outcomes.map(cells)
        let widths = heading.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        var text = lines.map { line(cells: $0, widths) }
        text.insert("|" + widths.map { String(repeating: "-", count: $0 + 2) + "|" }.joined(), at: 1)
        return text.joined(separator: "\n")
    }

    private static func cells(_ outcome: Outcome) -> [String] {
        [
            outcome.name, text(outcome.value, outcome.unit), baseline(outcome), text(outcome.score, outcome.scoreUnit),
            outcome.target ?? "", outcome.verdict.rawValue,
        ]
    }

    private static func baseline(_ outcome: Outcome) -> String {
        guard let baseline = outcome.baseline, let name = outcome.baselineName else { return "" }
        let others = outcome.others.sorted { $0.key < $1.key }.map { "\($0.key) \(text($0.value, outcome.unit))" }
        return (["\(name) \(text(baseline, outcome.unit))"] + others).joined(separator: ", ")
    }

    private static func text(_ number: Double?, _ unit: Unit?) -> String {
        guard let number, let unit else { return "" }
        return unit.text(number)
    }

    private static func line(cells: [String], _ widths: [Int]) -> String {
        "| "
            + zip(cells, widths)
            .map { cell, width in cell + String(repeating: " ", count: width - cell.count) }.joined(separator: " | ")
            + " |"
    }
}

extension Double {
    /// Returns the number with at most, or with exactly, this many decimal places, and commas between thousands.
    func text(digits: Int? = nil) -> String {
        formatted(
            .number.locale(Locale(identifier: "en_US")).grouping(.automatic)
                .precision(digits.map { .fractionLength($0) } ?? .fractionLength(0...2)))
    }
}
