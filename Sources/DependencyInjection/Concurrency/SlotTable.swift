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
    @inline(__always) func find(_ word: UInt, where isMeant: (Slot) -> Bool) -> Slot? {
        guard let contents = contents.load() else { return nil }
        return contents.with { $0.find(word, where: isMeant) }
    }

    /// Returns the entries that match the condition, unordered. Call it during a read, or as the writer.
    func entries(where isPicked: (EntryObject) -> Bool = { _ in true }) -> [EntryObject] {
        contents.load()?.with { $0.entries(where: isPicked) } ?? []
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
        entry: EntryObject?, at word: UInt, where isMeant: (Slot) -> Bool, retiring retired: inout DeferredRelease
    ) {
        let slot = slot(word, where: isMeant, isAdded: entry != nil, &retired)
        if let old = slot?.put(entry: entry, as: word) { retired.add(old) }
    }

    /// Sets the instance of a slot, or removes it. Returns the old one, which the caller retires.
    func put(
        instance: InstanceObject?, at word: UInt, in known: Slot? = nil, where isMeant: (Slot) -> Bool,
        retiring retired: inout DeferredRelease
    ) -> InstanceObject? {
        (known ?? slot(word, where: isMeant, isAdded: instance != nil, &retired))?.put(instance: instance, as: word)
    }

    /// Returns the slot that matches the condition, or a new one.
    private func slot(
        _ word: UInt, where isMeant: (Slot) -> Bool, isAdded: Bool, _ retired: inout DeferredRelease
    ) -> Slot? {
        if let slot = find(word, where: isMeant) { return slot }
        guard isAdded else { return nil }
        reserve(1, retiring: &retired)
        return contents.load()?.with { $0.vacantSlot(for: word) }
    }

    /// Whether more slots fit into the current contents. Call it during a read, or as the writer.
    func hasRoom(for additional: Int) -> Bool { contents.load()?.with { $0.hasRoom(for: additional) } ?? false }

    /// Reserves space for more slots. At least a third of them stay empty, so that searches are short.
    func reserve(_ additional: Int, retiring retired: inout DeferredRelease) {
        if hasRoom(for: additional) { return }
        guard let old = contents.load() else { return replace(with: Contents(room: additional), retiring: &retired) }
        let copy = old.with { Contents(copying: $0, withInstances: true, addingRoomFor: additional) }
        replace(with: copy, retiring: &retired)
    }

    /// Removes all instances. The caller has retained them, and adds them to a retirement.
    func removeInstances() { contents.load()?.with { $0.removeInstances() } }

    /// The number of instances. Read it during a read, or as the writer.
    var instanceCount: Int { contents.load()?.with { $0.instanceCount } ?? 0 }

    func removeAll(retiring retired: inout DeferredRelease) { replace(with: nil, retiring: &retired) }

    private func replace(with contents: Contents?, retiring retired: inout DeferredRelease) {
        if let old = self.contents.exchange(contents) { retired.add(old) }
    }
}
