import Foundation
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

/// The extent of the random tests. Environment variables set it, which CONTRIBUTING.md describes.
enum RandomTestSettings {
    /// The first seed.
    static let firstSeed = value("DI_TEST_SEED") ?? 0
    /// The number of random programs, or nil for the default of a suite.
    static let programs = value("DI_TEST_PROGRAMS")
    /// The time for random operations in seconds, or nil for the default of a suite.
    static let seconds = value("DI_TEST_SECONDS").map { TimeInterval($0) }

    private static func value(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
    }
}

/// A random number generator with a seed: Marsaglia's xorshift.
struct SmallGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
