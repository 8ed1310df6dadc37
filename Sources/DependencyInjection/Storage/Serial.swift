internal import Synchronization

/// Numbers that are never used again, as an address could be.
enum Serial {
    private static let last = Atomic<UInt>(0)

    static func next() -> UInt { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
