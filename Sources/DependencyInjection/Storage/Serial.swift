internal import Synchronization

/// Hands out numbers that are never used again, unlike addresses.
@usableFromInline enum Serial {
    private static let last = Atomic<UInt>(0)

    static func next() -> UInt { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
