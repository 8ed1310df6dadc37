/// One line of the table, with its workload, its baseline and its target.
struct Row {
    let name: String
    /// The target for the score. `nil` for a row that only informs.
    let target: Target?
    /// The row's operation alone. `nil` if its instructions aren't counted.
    let loop: Loop?
    let measure: (Effort) -> Measurement?

    /// Creates a row that measures by itself. A `nil` measurement means that this platform can't measure it.
    init(_ name: String, _ target: Target?, loop: Loop? = nil, measure: @escaping (Effort) -> Measurement?) {
        self.name = name
        self.target = target
        self.loop = loop
        self.measure = measure
    }

    /// Creates a row that compares the times of a workload and a baseline.
    init(
        _ name: String, _ target: Target?, loop: String? = nil,
        _ subject: @autoclosure @escaping () -> Workload, to baseline: Workload
    ) {
        self.init(name, target, loop: loop.map { Loop(name: $0, workload: subject) }) { effort in
            let times = effort.best(of: [subject(), baseline])
            return Measurement(
                times[0], .nanoseconds, baseline: times[1], baseline.name, score: times[0] / times[1], .ratio)
        }
    }

    /// Creates a row that compares a workload with a baseline. The time of calling the initializer is subtracted from
    /// that of the workload.
    init(
        _ name: String, _ target: Target?, loop: String? = nil,
        _ subject: @autoclosure @escaping () -> Workload, beyond direct: Workload, to baseline: Workload
    ) {
        self.init(name, target, loop: loop.map { Loop(name: $0, workload: subject) }) { effort in
            let times = effort.best(of: [subject(), direct, baseline])
            return Measurement(
                times[0], .nanoseconds, baseline: times[1], direct.name, score: (times[0] - times[1]) / times[2],
                .ratio,
                others: [baseline.name: times[2]])
        }
    }
}

/// An operation that the command repeats on its own, so that its instructions can be counted.
struct Loop {
    let name: String
    /// Prepares the operation, which takes long for some rows.
    let workload: () -> Workload
}

/// The measurement for a row.
struct Measurement {
    let value: Double
    let unit: Unit
    let baseline: Double?
    let baselineName: String?
    /// The number that is compared with the target.
    let score: Double
    let scoreUnit: Unit
    /// Further times from which the score was computed, by name.
    let others: [String: Double]

    init(
        _ value: Double, _ unit: Unit, baseline: Double? = nil, _ baselineName: String? = nil, score: Double,
        _ scoreUnit: Unit, others: [String: Double] = [:]
    ) {
        self.value = value
        self.unit = unit
        self.baseline = baseline
        self.baselineName = baselineName
        self.score = score
        self.scoreUnit = scoreUnit
        self.others = others
    }

    /// Creates a measurement whose value is the score.
    init(_ value: Double, _ unit: Unit) {
        self.init(value, unit, score: value, unit)
    }
}

/// The unit of a number.
enum Unit: String, Encodable {
    case nanoseconds = "ns"
    case ratio = "×"
    case bytes = "B"
    case kibibytes = "KiB"
    case allocations
    case instances

    func text(_ number: Double) -> String {
        switch self {
        case .ratio: number.text(digits: 2) + " ×"
        case .nanoseconds: number.text(digits: number < 1_000 ? 1 : 0) + " ns"
        case .bytes, .kibibytes: number.text(digits: 0) + " " + rawValue
        case .allocations, .instances: number.text(digits: number == number.rounded() ? 0 : 2)
        }
    }
}

/// The required value of a score.
struct Target {
    /// The target in words: `≤ 1.5 × bare`.
    let text: String
    private let isMet: (Double) -> Bool

    func isMet(by score: Double) -> Bool { isMet(score) }

    static func atMost(_ limit: Double, _ what: String) -> Target {
        Target(text: "≤ \(limit.text()) \(what)") { $0 <= limit }
    }

    static func atLeast(_ limit: Double, _ what: String) -> Target {
        Target(text: "≥ \(limit.text()) \(what)") { $0 >= limit }
    }
}
