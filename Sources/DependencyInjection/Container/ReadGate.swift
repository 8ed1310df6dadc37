internal import Synchronization

/// The states that direct readers of a container to the slow path, in one atomic word.
struct ReadGate: ~Copyable, Sendable {
    struct States: OptionSet {
        let rawValue: UInt8
        /// The container is closing or closed.
        static let closing = States(rawValue: 1)
        /// An observer receives an event for each request.
        static let observedRequests = States(rawValue: 2)
        /// An observer receives an event for each build.
        static let observedBuilds = States(rawValue: 4)
        /// No code retains the container any more, or the test that it belongs to has ended.
        static let released = States(rawValue: 8)

        /// The states in which instances can only be read on the slow path.
        static let instances: States = [.closing, .observedRequests]
    }

    private let states = Atomic<UInt8>(0)

    func set(_ state: States, to isSet: Bool) {
        if isSet {
            states.bitwiseOr(state.rawValue, ordering: .sequentiallyConsistent)
        } else {
            states.bitwiseAnd(~state.rawValue, ordering: .sequentiallyConsistent)
        }
    }

    /// Replaces some states by others in one step. All other states stay.
    func replace(_ old: States, with new: States) {
        states.bitwiseXor(old.symmetricDifference(new).rawValue, ordering: .sequentiallyConsistent)
    }

    /// Whether one of these states applies.
    func contains(_ states: States) -> Bool {
        self.states.load(ordering: .sequentiallyConsistent) & states.rawValue != 0
    }
}
