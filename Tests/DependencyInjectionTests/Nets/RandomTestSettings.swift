import Foundation

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
