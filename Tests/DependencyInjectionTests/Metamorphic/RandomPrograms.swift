import Testing

/// The random programs that a suite checks. Each program has a seed.
struct RandomPrograms {
    private let seeds: Range<UInt64>

    init(defaultCount: UInt64) {
        let first = RandomTestSettings.firstSeed
        seeds = first..<first + (RandomTestSettings.programs ?? defaultCount)
    }

    /// Checks the programs of one of several parts, and records the first report of a mistake as an issue.
    func check(part: UInt64, of parts: Int, _ report: (_ seed: UInt64) async -> String?) async {
        for seed in stride(from: seeds.lowerBound + part, to: seeds.upperBound, by: parts) {
            guard let report = await report(seed) else { continue }
            Issue.record("\(report)")
            return
        }
    }
}
