/// One line of the table: what is measured, against what, and what is to be reached.
struct Row {
    let name: String
    /// What the score is to be; nil where a row only informs.
    let target: Target?
    /// The row's operation alone; nil where its instructions are not counted.
    let loop: Loop?
    let measure: (Effort) -> Measurement?

    /// Makes a row that measures for itself; nil stands for what this platform cannot measure.
    init(_ name: String, _ target: Target?, loop: Loop? = nil, measure: @escaping (Effort) -> Measurement?) {
        self.name = name
        self.target = target
        self.loop = loop
        self.measure = measure
    }

    /// Compares the time of a workload with that of a baseline.
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

    /// Compares the time that a workload takes beyond calling the initializer with that of a baseline.
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

/// An operation that the command repeats and does nothing else, so that its instructions can be counted.
struct Loop {
    let name: String
    /// Makes the operation ready, which for some rows takes long.
    let workload: () -> Workload
}

/// What was measured for a row.
struct Measurement {
    let value: Double
    let unit: Unit
    let baseline: Double?
    let baselineName: String?
    /// The number that is compared with the target.
    let score: Double
    let scoreUnit: Unit
    /// Further times that went into the score, by name.
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

    /// A number that is its own score.
    init(_ value: Double, _ unit: Unit) {
        self.init(value, unit, score: value, unit)
    }
}

/// What a number counts.
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

/// What a score is to be.
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
