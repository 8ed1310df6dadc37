import Testing

/// The random programs that a suite checks. Each program has a seed.
struct RandomPrograms {
    private let seeds: Range<UInt64>

    init(defaultCount: UInt64) {
        let first = RandomTestSettings.firstSeed
        seeds = first..<first + (RandomTestSettings.programs ?? defaultCount)
    }

    /// Checks the programs of one of several parts, and records the smallest one found with a mistake as an issue.
    func check<Case: Reducible & CustomStringConvertible>(
        part: UInt64, of parts: Int, _ makeCase: (_ seed: UInt64) -> Case, mistake: (Case) async -> String?
    ) async {
        for seed in stride(from: seeds.lowerBound + part, to: seeds.upperBound, by: parts) {
            guard let found = await makeCase(seed).reduced(mistake) else { continue }
            Issue.record("\(found.smallest)\n\(found.mistake)")
            return
        }
    }
}
