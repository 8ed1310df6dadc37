internal import Synchronization

/// The factories that run on one thread, the outermost first. Only that thread changes them; others look at what they are
/// using, see ``PostponedRelease``.
struct FrameStack: ~Copyable {
    private struct Slot: ~Copyable {
        let core = Atomic<UnsafeRawPointer?>(nil)
        let registration = Atomic<UnsafeRawPointer?>(nil)
        let scope = Atomic<UnsafeRawPointer?>(nil)

        func copy(from other: borrowing Slot) {
            core.store(other.core.load(ordering: .relaxed), ordering: .relaxed)
            registration.store(other.registration.load(ordering: .relaxed), ordering: .relaxed)
            scope.store(other.scope.load(ordering: .relaxed), ordering: .relaxed)
        }
    }

    private let slots = Atomic<UnsafeMutablePointer<Slot>>(Self.allocate(16))
    private let capacity = Atomic<Int>(16)
    private let count = Atomic<Int>(0)

    var depth: Int {
        @inline(__always) get { count.load(ordering: .relaxed) }
    }

    subscript(index: Int) -> Frame {
        @inline(__always) get {
            let slot = slots.load(ordering: .relaxed) + index
            return Frame(
                core: .fromOpaque(slot.pointee.core.load(ordering: .relaxed).unsafelyUnwrapped),
                registration: slot.pointee.registration.load(ordering: .relaxed).map(Unmanaged.fromOpaque),
                scope: slot.pointee.scope.load(ordering: .relaxed))
        }
    }

    @inline(__always)
    func push(_ frame: Frame) {
        let depth = depth
        if depth == capacity.load(ordering: .relaxed) { grow() }
        let slot = slots.load(ordering: .relaxed) + depth
        slot.pointee.core.store(frame.core.toOpaque(), ordering: .releasing)
        slot.pointee.registration.store(frame.registration?.toOpaque(), ordering: .releasing)
        slot.pointee.scope.store(frame.scope, ordering: .relaxed)
        count.store(depth + 1, ordering: .releasing)
    }

    @inline(__always)
    func pop() { count.store(depth - 1, ordering: .releasing) }

    func removeAll() { count.store(0, ordering: .releasing) }

    /// Tells any thread what the factories are using, the outermost first.
    ///
    /// What was pushed before the call and is not popped during it is told, since nothing changes its slot. What is not told is
    /// used no more: the loads see either the depth after it was popped or the slot after it was used again, and acquire all
    /// that was done before.
    func forEachUsed(_ body: (_ index: Int, _ address: UnsafeRawPointer) -> Void) {
        // In this order: slots of a later time have room for the depth of an earlier one.
        let depth = count.load(ordering: .acquiring)
        let slots = slots.load(ordering: .acquiring)
        for index in 0..<depth {
            if let core = slots[index].core.load(ordering: .acquiring) { body(index, core) }
            if let registration = slots[index].registration.load(ordering: .acquiring) { body(index, registration) }
        }
    }

    /// Doubles the room. The old slots are never freed, since another thread may be looking at them; all of them together
    /// are fewer than the new ones, and records are used again when their thread ends.
    private func grow() {
        let capacity = capacity.load(ordering: .relaxed)
        let old = slots.load(ordering: .relaxed)
        let new = Self.allocate(capacity * 2)
        for index in 0..<capacity { new[index].copy(from: old[index]) }
        slots.store(new, ordering: .releasing)
        self.capacity.store(capacity * 2, ordering: .relaxed)
    }

    private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Slot> {
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: capacity)
        for index in 0..<capacity { (slots + index).initialize(to: Slot()) }
        return slots
    }
}
