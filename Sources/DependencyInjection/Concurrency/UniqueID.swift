internal import Synchronization

/// IDs that are never reused, unlike addresses.
enum UniqueID {
    private static let last = Atomic<UInt>(0)

    static func next() -> UInt { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
