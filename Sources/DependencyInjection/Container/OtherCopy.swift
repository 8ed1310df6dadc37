internal import Synchronization

/// Another copy of the library in this process, which exists if two images link the library statically. Each copy has
/// its own default container and its own task-local values.
///
/// The run time finds a type by its name in the image that was loaded first. So every other copy detects the first one,
/// and reports itself to it. A protocol of the standard library is the only type that both copies share.
struct OtherCopy: LosslessStringConvertible {
    private static let hasReported = Atomic<Bool>(false)

    /// Whether the process contains another copy. Searches the types of all images.
    static var exists: Bool { hasReported.load(ordering: .relaxed) || first != nil }

    /// The same type in the first copy, unless this copy is the first.
    private static var first: (any LosslessStringConvertible.Type)? {
        guard let name = _mangledTypeName(Self.self), let type = _typeByName(name), type != Self.self
        else { return nil }
        return type as? any LosslessStringConvertible.Type
    }

    /// Reports this copy to the first one. Does nothing in release builds, because the search takes time.
    static func reportToFirst() {
        #if DEBUG
            _ = first?.init("")
        #endif
    }

    /// Records that the process contains another copy, which makes this call.
    init?(_ description: String) {
        Self.hasReported.store(true, ordering: .relaxed)
        return nil
    }

    var description: String { "" }
}
