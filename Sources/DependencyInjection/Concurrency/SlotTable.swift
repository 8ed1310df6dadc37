internal import Synchronization

/// A hash table from words to slots that any thread may read at any time without a lock. A slot has an entry, an
/// instance or both.
///
/// Several slots may have the same word, in which case the caller selects one of them. One thread at a time changes the
/// table.
///
/// A reader calls ``ThreadRecord/beginReading()``, looks for a slot, copies a value and calls
/// ``ThreadRecord/endReading()``. A writer adds all objects that it unlinks to a ``DeferredRelease``. This is
/// quiescent-state-based reclamation. The article *Reading without locks* defines its invariants R1 to R11, which
/// comments refer to by number.
struct SlotTable<EntryObject: AnyObject & Sendable, InstanceObject: AnyObject & Sendable>: ~Copyable, Sendable {
    typealias Contents = Slots<EntryObject, InstanceObject>
    typealias Slot = Contents.Slot

    private let contents: AtomicReference<Contents>

    init(_ contents: Contents? = nil) { self.contents = AtomicReference(contents) }

    // MARK: Reading

    /// Returns the slot that has the word and matches the condition. Call it during a read, or as the writer.
    @inline(__always) func find(_ word: UInt, where matches: (Slot) -> Bool) -> Slot? {
        guard let contents = contents.load() else { return nil }
        return contents.with { $0.find(word, where: matches) }
    }

    /// Returns the entries that match the condition, unordered. Call it during a read, or as the writer.
    func entries(where isIncluded: (EntryObject) -> Bool = { _ in true }) -> [EntryObject] {
        contents.load()?.with { $0.entries(where: isIncluded) } ?? []
    }

    /// Calls a function with each instance, unordered. Call it during a read, or as the writer.
    func forEachInstance(_ body: (InstanceObject) -> Void) { contents.load()?.with { $0.forEachInstance(body) } }

    /// Returns a copy of the contents without the instances, for another table. Call it during a read, or as the
    /// writer.
    func copiedEntries() -> Contents? {
        contents.load()?.with { Contents(copying: $0, withInstances: false) }
    }

    // MARK: Writing

    /// Sets the entry of a slot, or removes it.
    func put(
        entry: EntryObject?, at word: UInt, where matches: (Slot) -> Bool, retiring retired: inout DeferredRelease
    ) {
        let slot = slot(word, where: matches, isAdded: entry != nil, &retired)
        if let old = slot?.put(entry: entry, as: word) { retired.add(old) }
    }

    /// Sets the instance of a slot, or removes it. Returns the old one, which the caller retires.
    func put(
        instance: InstanceObject?, at word: UInt, in known: Slot? = nil, where matches: (Slot) -> Bool,
        retiring retired: inout DeferredRelease
    ) -> InstanceObject? {
        (known ?? slot(word, where: matches, isAdded: instance != nil, &retired))?.put(instance: instance, as: word)
    }

    /// Returns the slot that matches the condition, or a new one.
    private func slot(
        _ word: UInt, where matches: (Slot) -> Bool, isAdded: Bool, _ retired: inout DeferredRelease
    ) -> Slot? {
        if let slot = find(word, where: matches) { return slot }
        guard isAdded else { return nil }
        reserve(1, retiring: &retired)
        return contents.load()?.with { $0.vacantSlot(for: word) }
    }

    /// Whether more slots fit into the current contents. Call it during a read, or as the writer.
    func hasSpace(for additional: Int) -> Bool { contents.load()?.with { $0.hasSpace(for: additional) } ?? false }

    /// Reserves space for more slots. At least a third of them stay empty, so that searches are short.
    func reserve(_ additional: Int, retiring retired: inout DeferredRelease) {
        if hasSpace(for: additional) { return }
        guard let old = contents.load() else {
            return replace(with: Contents(spaceFor: additional), retiring: &retired)
        }
        let copy = old.with { Contents(copying: $0, withInstances: true, addingSpaceFor: additional) }
        replace(with: copy, retiring: &retired)
    }

    /// Removes all instances, unordered. The function or the caller retains them until the readers have ended.
    func removeInstances(_ body: (InstanceObject) -> Void = { _ in }) {
        contents.load()?.with { $0.removeInstances(body) }
    }

    /// Whether more than one key has a slot, with or without an instance. Call it as the writer.
    var hasSeveralKeys: Bool { contents.load()?.with { $0.hasSeveralKeys } ?? false }

    func removeAll(retiring retired: inout DeferredRelease) { replace(with: nil, retiring: &retired) }

    private func replace(with contents: Contents?, retiring retired: inout DeferredRelease) {
        if let old = self.contents.exchange(contents) { retired.add(old) }
    }
}

/// The atomic fields of a slot.
///
/// The type isn't nested in ``Slots``, because each instantiation of a generic type would look up its metadata at run
/// time.
private struct SlotFields: ~Copyable {
    let word = Atomic<UInt>(0)
    /// A retained entry, if there is one.
    let entry = Atomic<UnsafeRawPointer?>(nil)
    /// A retained instance, if there is one.
    let instance = Atomic<UnsafeRawPointer?>(nil)

    /// Releases both objects. No other thread can reach the slot any more.
    consuming func release<EntryObject: AnyObject, InstanceObject: AnyObject>(
        _: EntryObject.Type, _: InstanceObject.Type
    ) {
        if let entry = entry.load(ordering: .acquiring) { UnretainedReference<EntryObject>(entry).release() }
        if let instance = instance.load(ordering: .acquiring) {
            UnretainedReference<InstanceObject>(instance).release()
        }
    }
}

/// The contents of a ``SlotTable``, which retain their entries and instances (invariant R8).
///
/// Unchecked because of the pointer. The slots are atomic, and one thread at a time writes them (invariant R10).
final class Slots<EntryObject: AnyObject & Sendable, InstanceObject: AnyObject & Sendable>: @unchecked Sendable {
    /// A slot of the table. It is valid as long as the contents of the table.
    struct Slot {
        fileprivate let fields: UnsafeMutablePointer<SlotFields>

        @inline(__always) var entry: UnretainedReference<EntryObject>? {
            fields.pointee.entry.load(ordering: .sequentiallyConsistent).map { UnretainedReference($0) }
        }

        @inline(__always) var instance: UnretainedReference<InstanceObject>? {
            fields.pointee.instance.load(ordering: .sequentiallyConsistent).map { UnretainedReference($0) }
        }

        func put(entry: EntryObject?, as word: UInt) -> EntryObject? {
            let old = fields.pointee.entry.exchange(retaining: entry)
            write(word)
            return old
        }

        func put(instance: InstanceObject?, as word: UInt) -> InstanceObject? {
            let old = fields.pointee.instance.exchange(retaining: instance)
            write(word)
            return old
        }

        /// Publishes the slot to readers. The slot already contains its object (invariant R5).
        private func write(_ word: UInt) {
            PausePoint.objectWritten.pass()
            fields.pointee.word.store(word, ordering: .releasing)
        }
    }

    private let shift: UInt
    private let mask: Int
    private let slots: UnsafeMutablePointer<SlotFields>
    /// The number of slots with a word. Only the writer uses it.
    private let used = Atomic<Int>(0)

    /// Creates empty slots, with space for a number of used ones.
    init(spaceFor count: Int) {
        var capacity = 8
        while capacity * 2 < count * 3 { capacity *= 2 }
        mask = capacity - 1
        shift = UInt(UInt.bitWidth - capacity.trailingZeroBitCount)
        slots = .allocate(capacity: capacity)
        for index in 0..<capacity { (slots + index).initialize(to: SlotFields()) }
    }

    /// Copies the slots that have an object, with or without the instances, and retains the objects (invariant R8).
    ///
    /// The copy has space for half as many slots again, so that the table isn't copied again soon.
    convenience init(copying other: Slots, withInstances: Bool, addingSpaceFor additional: Int = 0) {
        self.init(spaceFor: (other.all.count { $0.entry != nil || $0.instance != nil } + additional) * 3 / 2)
        for slot in other.all {
            let (entry, instance) = (slot.entry, withInstances ? slot.instance : nil)
            if entry == nil, instance == nil { continue }
            let word = slot.fields.pointee.word.load(ordering: .relaxed)
            let fields = vacantSlot(for: word).fields
            // An exchange would be slower, and no other thread can reach the copy yet.
            fields.pointee.entry.store(entry?.retainedAddress, ordering: .relaxed)
            fields.pointee.instance.store(instance?.retainedAddress, ordering: .relaxed)
            fields.pointee.word.store(word, ordering: .relaxed)
        }
    }

    deinit {
        // By address, because a `deinit` isn't specialized. With slots, a request would take more than twice as long.
        for index in 0...mask { (slots + index).move().release(EntryObject.self, InstanceObject.self) }
        slots.deallocate()
    }

    private var all: some Sequence<Slot> { (0...mask).lazy.map { [slots] in Slot(fields: slots + $0) } }

    var hasSeveralKeys: Bool { used.load(ordering: .relaxed) > 1 }

    func hasSpace(for additional: Int) -> Bool { (used.load(ordering: .relaxed) + additional) * 3 <= (mask + 1) * 2 }

    func entries(where isIncluded: (EntryObject) -> Bool) -> [EntryObject] {
        all.compactMap { slot in slot.entry.flatMap { $0.with(isIncluded) ? $0.object : nil } }
    }

    func forEachInstance(_ body: (InstanceObject) -> Void) {
        for slot in all { slot.instance?.with(body) }
    }

    func removeInstances(_ body: (InstanceObject) -> Void) {
        for slot in all where slot.instance != nil {
            slot.fields.pointee.instance.exchange(retaining: InstanceObject?.none).map(body)
        }
    }

    /// Addresses differ in their middle bits, which the multiplication moves to the top.
    @inline(__always) private func start(_ word: UInt) -> Int {
        Int(truncatingIfNeeded: (word &* UInt(truncatingIfNeeded: 0x9e37_79b9_7f4a_7c15 as UInt64)) &>> shift)
    }

    @inline(__always) private func next(_ index: Int) -> Int { (index &+ 1) & mask }

    /// Returns the slot that has the word and matches the condition.
    @inline(__always) func find(_ word: UInt, where matches: (Slot) -> Bool) -> Slot? {
        var index = start(word)
        while true {
            let slot = Slot(fields: slots + index)
            let found = slot.fields.pointee.word.load(ordering: .acquiring)
            if found == 0 { return nil }
            if found == word, matches(slot) {
                PausePoint.slotFound.pass()
                return slot
            }
            index = next(index)
        }
    }

    /// Returns an empty slot for another word, which the caller stores.
    func vacantSlot(for word: UInt) -> Slot {
        var index = start(word)
        while slots[index].word.load(ordering: .relaxed) != 0 { index = next(index) }
        used.store(used.load(ordering: .relaxed) + 1, ordering: .relaxed)
        return Slot(fields: slots + index)
    }
}
